/** The tree to draw, out of what Python sends, and a node in words. */
import { counted, grouped, signed } from "../shared/numbers.js";

export const NEW = 1;
export const TERMINAL = 2;
export const ELIMINATED = 4;
export const MOVED = 8;
export const REDUNDANT = 16; // its position has an earlier node
export const ALIKE = 32; // it has the position of the selected node

/** The arrays over the drawn nodes, in the order in which Python packs them. */
const ARRAYS = {
  ids: Int32Array, parents: Int32Array, xs: Float32Array, stubs: Float32Array, depths: Int32Array, visits: Int32Array,
  values: Float32Array, scores: Float32Array, hidden: Int32Array, flags: Uint8Array,
};

/** The arrays of a tree of n nodes out of their bytes; copied, for bytes of a message begin anywhere. */
function unpack(view, n) {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  let begin = 0;
  const take = ([name, Type]) => {
    const array = new Type(bytes, begin, n);
    begin += array.byteLength;
    return [name, array];
  };
  return Object.fromEntries(Object.entries(ARRAYS).map(take));
}

/**
 * A tree as arrays over the drawn nodes; null where there is none yet.
 *
 * Beside the arrays of the message there are `n`, `children` (lists of indices, left to right), `indexOf` (index of an
 * id) and `rows` (indices by depth, left to right).
 */
export function readFrame(tree) {
  if (!tree?.arrays) return null;
  const frame = {
    number: tree.frame,
    ...unpack(tree.arrays, tree.actions.length),
    actions: tree.actions,
    valueRange: tree.value_range,
    nNodes: tree.n_nodes,
    nDrawn: tree.n_drawn,
    marks: tree.marks,
    kinds: tree.kinds ?? null, // what nodes have come to, where they have no values: `values` are indices of it
    notes: tree.notes ?? null,
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

/** What is known of a node, as pairs of words and numbers. */
export function facts(frame, index) {
  const { visits, values, scores, hidden, flags } = frame;
  if (frame.kinds) return kindFacts(frame, index);
  const rows = [["visits", grouped(visits[index])], ["value", Number.isNaN(values[index]) ? "–" : signed(values[index], 3)]];
  if (frame.parents[index] >= 0) rows.push(["score", scoreText(scores[index])]);
  if (hidden[index] > 0) rows.push(["folded below", counted(hidden[index], "node")]);
  if (flags[index] & TERMINAL) rows.push(["the game", "is over"]);
  if (flags[index] & ELIMINATED) rows.push(["state", "eliminated"]);
  if (flags[index] & REDUNDANT) rows.push(["position", "redundant"]);
  return rows;
}

function kindFacts({ kinds, notes, values, visits, hidden }, index) {
  const rows = [["became", kinds[values[index]].name]];
  if (notes[index]) rows.push(notes[index].split(" = ", 2).length > 1 ? ["pushes", notes[index]] : ["", notes[index]]);
  if (visits[index] > 1) rows.push(["below", counted(visits[index] - 1, "node")]);
  if (hidden[index] > 0) rows.push(["not drawn", counted(hidden[index], "node")]);
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
