/** The tree to draw, out of what Python sends, and its words for numbers. */

export const NEW = 1;
export const TERMINAL = 2;
export const ELIMINATED = 4;
export const MOVED = 8;

/** Numbers out of bytes; copied, for bytes of a message begin anywhere. */
export function numbers(view, Type) {
  return new Type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

/**
 * A tree as arrays over the drawn nodes; null where there is none yet.
 *
 * Beside the arrays of the message there are `n`, `children` (lists of indices, left to right), `indexOf` (index of an
 * id) and `rows` (indices by depth, left to right).
 */
export function readFrame(tree) {
  if (!tree?.ids) return null;
  const frame = {
    number: tree.frame,
    ids: numbers(tree.ids, Int32Array),
    parents: numbers(tree.parents, Int32Array),
    xs: numbers(tree.xs, Float32Array),
    stubs: tree.stubs ? numbers(tree.stubs, Float32Array) : new Float32Array(tree.ids.byteLength / 4).fill(NaN),
    depths: numbers(tree.depths, Int32Array),
    visits: numbers(tree.visits, Int32Array),
    values: numbers(tree.values, Float32Array),
    scores: numbers(tree.scores, Float32Array),
    hidden: numbers(tree.hidden, Int32Array),
    flags: numbers(tree.flags, Uint8Array),
    actions: tree.actions,
    valueRange: tree.value_range,
    nNodes: tree.n_nodes,
    nDrawn: tree.n_drawn,
    marks: tree.marks,
  };
  return Object.assign(frame, relations(frame));
}

function relations({ ids, parents, depths, xs }) {
  const children = Array.from(ids, () => []);
  const rows = [];
  const indexOf = new Map();
  ids.forEach((id, index) => {
    indexOf.set(id, index);
    if (parents[index] >= 0) children[parents[index]].push(index);
    (rows[depths[index]] ??= []).push(index);
  });
  rows.forEach((row) => row.sort((one, other) => xs[one] - xs[other]));
  return { n: ids.length, children, rows, indexOf };
}

/** A number as people write it: with a real minus, and thousands apart. */
export function signed(value, digits) {
  return value.toFixed(digits).replace("-", "−");
}

/** A whole number with its thousands apart. */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A count with its noun. */
export function counted(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** What is known of a node, as pairs of words and numbers. */
export function facts(frame, index) {
  const { visits, values, scores, hidden, flags } = frame;
  const rows = [["visits", grouped(visits[index])], ["value", Number.isNaN(values[index]) ? "–" : signed(values[index], 3)]];
  if (frame.parents[index] >= 0) rows.push(["UCT", scoreText(scores[index])]);
  if (hidden[index] > 0) rows.push(["folded below", counted(hidden[index], "node")]);
  if (flags[index] & TERMINAL) rows.push(["the game", "is over"]);
  if (flags[index] & ELIMINATED) rows.push(["state", "eliminated"]);
  return rows;
}

function scoreText(score) {
  if (Number.isNaN(score)) return "–";
  return Number.isFinite(score) ? signed(score, 3) : "∞";
}

/** Name of a node, with the action into it. */
export function nodeName(frame, index) {
  const action = frame.actions[index];
  return `node ${frame.ids[index]}${action ? ` · ${action}` : ""}`;
}

/** A node in one spoken sentence. */
export function spoken(frame, index) {
  const numbersOf = facts(frame, index).map((pair) => pair.join(" "));
  return [nodeName(frame, index), `depth ${frame.depths[index]}`, ...numbersOf].join(", ");
}
