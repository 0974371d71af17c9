/** Labels beside nodes: each goes where it covers least of the nodes and of the labels before it. */
import { escape, textWidth } from "../shared/text.js";

const SIZE = 12;
const GAP = 5; // pixels between a node and its label
const HEIGHT = 15; // pixels of a line of text
const MOST_NEEDED = 12; // values that change: on a longer path they would lie on each other
const COVERED = 0.15; // share of a label that may be covered before it is left out
const EDGE = 4; // pixels that labels stay away from the edge of the plot
const SAMPLE = 9; // pixels along an edge of the path from one box that stands for it to the next
const BELOW = ["bottom center", 0, 1];
const POSITIONS = [
  ["middle right", 1, 0], ["middle left", -1, 0], ["top center", 0, -1], BELOW,
  ["top right", 0.5, -0.75], ["top left", -0.5, -0.75], ["bottom right", 0.5, 0.75], ["bottom left", -0.5, 0.75],
];

/**
 * Labels of a frame: what Python names, and values that are being passed up.
 *
 * @param reach diameter of the outermost ring of a node, by index
 * @param blocked boxes [left, top, right, bottom] that labels keep clear of
 */
export function planLabels(frame, sizes, reach, places, geometry, blocked, { colors, font, scale }) {
  const wanted = wishes(frame, colors);
  const boxes = Array.from(sizes, (size, index) => around(places.x[index], places.y[index], (reach.get(index) ?? size) / 2));
  const settled = [...blocked];
  const lines = pathLines(frame, places, scale);
  const labels = [];
  for (const { index, text, plain, isBold, isNeeded, color } of wanted) {
    const width = textWidth(plain, SIZE * scale, isBold);
    const radius = (reach.get(index) ?? sizes[index]) / 2 + GAP * scale;
    // Of places that cover the same the first is taken: below a leaf there is nothing, beside it there are neighbours.
    const options = (frame.children[index].length ? POSITIONS : [BELOW, ...POSITIONS]).map(([name, right, down]) => {
      const [dx, dy] = [right * radius, down * radius];
      const box = boxOf(places.x[index] + dx, places.y[index] + dy, Math.sign(right), Math.sign(down), width, HEIGHT * scale);
      return { name, dx, dy, box, cost: cost(box, index, boxes, [...settled, ...(lines.get(index) ?? [])], geometry) };
    });
    const best = options.reduce((one, other) => (other.cost < one.cost ? other : one));
    if (!isNeeded && best.cost > COVERED * width * HEIGHT * scale) continue;
    settled.push(best.box);
    labels.push({ index, text, color, ...best });
  }
  return labels.length ? [labelTrace(labels, colors, font, scale)] : [];
}

/** What is to be written at which node; values that change come first, for a few of them must not be left out. */
function wishes(frame, colors) {
  const { changes = [], labels = [] } = frame.marks;
  const nameOf = new Map(labels);
  const wanted = [];
  const isNeeded = changes.length <= MOST_NEEDED;
  for (const change of changes) {
    const name = nameOf.get(change.node);
    nameOf.delete(change.node);
    wanted.push({ id: change.node, ...changeText(change, name, colors), isBold: true, isNeeded, color: colors.ink });
  }
  for (const [id, name] of nameOf) {
    wanted.push({ id, text: escape(name), plain: name, isBold: false, isNeeded: false, color: colors["ink-soft"] });
  }
  return wanted.map((each) => ({ ...each, index: frame.indexOf.get(each.id) })).filter(({ index }) => index !== undefined);
}

/** "8  0.00 → 0.50  +1": the name, the value before and after, and what was passed up. */
function changeText({ before, after, passed }, name, colors) {
  const [lead, value, end] = [name ? `${name}  ` : "", `${before ? `${before} ` : ""}→ `, passed ? `  ${passed}` : ""];
  const coloured = end && `<span style="color:${colors.now}">${escape(end)}</span>`;
  return { plain: `${lead}${value}${after}${end}`, text: `${escape(lead)}${escape(value)}<b>${escape(after)}</b>${coloured}` };
}

function around(x, y, radius) {
  return [x - radius, y - radius, x + radius, y + radius];
}

/** The box of a text that is anchored at a place and lies to one side of it. */
function boxOf(x, y, right, down, width, height) {
  const left = x + ((right - 1) * width) / 2;
  const top = y + ((down - 1) * height) / 2;
  return [left, top, left + width, top + height];
}

/** For each node on the path boxes along its thick edges, of which the longest are crossed by labels beside the node. */
function pathLines({ marks, indexOf }, { x, y }, scale) {
  const path = (marks.path ?? []).map((id) => indexOf.get(id)).filter((index) => index !== undefined);
  const lines = new Map(path.map((index) => [index, []]));
  for (let place = 1; place < path.length; place++) {
    const [from, to] = [path[place - 1], path[place]];
    const [dx, dy] = [x[to] - x[from], y[to] - y[from]];
    const n = Math.ceil(Math.hypot(dx, dy) / (SAMPLE * scale));
    for (let step = 1; step < n; step++) {
      const box = around(x[from] + (step / n) * dx, y[from] + (step / n) * dy, (SAMPLE * scale) / 3);
      lines.get(from).push(box);
      lines.get(to).push(box);
    }
  }
  return lines;
}

/** Pixels that a label would cover, and far more where it leaves the plot. */
function cost(box, own, boxes, settled, { width, height }) {
  const area = (box[2] - box[0]) * (box[3] - box[1]);
  let covered = 20 * (area - common(box, [EDGE, EDGE, width - EDGE, height - EDGE]));
  for (let index = 0; index < boxes.length; index++) if (index !== own) covered += common(box, boxes[index]);
  for (const other of settled) covered += 3 * common(box, other);
  return covered;
}

function common(one, other) {
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  if (width <= 0) return 0;
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return height > 0 ? width * height : 0;
}

function labelTrace(labels, colors, font, scale) {
  const trace = {
    uid: "labels",
    mode: "text",
    hoverinfo: "skip",
    text: labels.map(({ text }) => text),
    textposition: labels.map(({ name }) => name),
    textfont: { family: font, size: SIZE * scale, color: labels.map(({ color }) => color) },
  };
  const place = ({ x, y }) => [labels.map(({ index, dx }) => x[index] + dx), labels.map(({ index, dy }) => y[index] + dy)];
  return { trace, place };
}
