/**
 * Nodes, and lines through them, as traces of plotly.
 *
 * A drawing is planned once as a list of {trace, place}: `trace` holds everything but the coordinates, and
 * `place(places)` gives those in pixels for nodes at any places, so that a tree can glide from one to another.
 */
import { shade } from "./tree_colors.js";
import { planKinds } from "./tree_kinds.js";
import { ELIMINATED, REDUNDANT, TERMINAL } from "./tree_frame.js";
import { mapped } from "./tree_view.js";

const SYMBOL_OF = { nodes: "circle", ends: "square", eliminated: "circle-x" };

const CROSSED = 15; // pixels that a cross needs to be seen in any crowd

/** Diameter in pixels of each node: its area above the smallest one grows with the visits. */
export function diameters(frame, { unit, row }, scale) {
  const largest = Math.max(Math.min((34 - 4.5 * Math.log10(Math.max(frame.n, 10))) * scale, 0.62 * row), 4);
  const smallest = Math.min(Math.max(0.72 * unit, 3.5), 9 * scale, largest);
  const most = Math.max(frame.visits[0], 1);
  const share = (visits) => Math.sqrt(Math.min(visits / most, 1));
  const sizes = mapped(frame.visits, (visits) => smallest + (largest - smallest) * share(visits));
  for (const indices of frame.rows) squeeze(indices, frame.xs, unit, sizes, smallest);
  frame.flags.forEach((flags, index) => {
    if (flags & ELIMINATED) sizes[index] = Math.max(sizes[index], CROSSED * scale);
  });
  return sizes;
}

/** Neighbours may touch but not hide each other. */
function squeeze(indices, xs, unit, sizes, smallest) {
  for (let place = 1; place < indices.length; place++) {
    const [one, other] = [indices[place - 1], indices[place]];
    const room = 2 * (xs[other] - xs[one]) * unit;
    if (sizes[one] + sizes[other] <= room) continue;
    sizes[one] = Math.max(Math.min(sizes[one], room / 2), smallest);
    sizes[other] = Math.max(Math.min(sizes[other], room / 2), smallest);
  }
}

/** A line through nodes. */
export function lineThrough(uid, indices, color, width) {
  const trace = { uid, mode: "lines", hoverinfo: "skip", line: { color, width, simplify: false } };
  return { trace, place: (places) => [gather(places.x, indices), gather(places.y, indices)] };
}

function gather(values, indices) {
  return mapped(indices, (index) => values[index]);
}

/**
 * All nodes: colour by value, hollow before the first visit, one colour for all that are redundant. There is one trace a shape, for plotly takes longer over
 * shapes given point by point. Their outlines come from the style sheet, which costs nothing.
 */
export function planNodes(frame, sizes, style) {
  if (frame.kinds) return planKinds(frame, sizes, style);
  const indices = { nodes: [], ends: [], eliminated: [] };
  frame.flags.forEach((flags, index) => indices[shapeOf(flags)].push(index));
  const shapes = Object.keys(SYMBOL_OF).filter((uid) => indices[uid].length);
  return shapes.map((uid) => nodeTrace(uid, indices[uid], frame, sizes, style));
}

function shapeOf(flags) {
  if (flags & ELIMINATED) return "eliminated";
  return flags & TERMINAL ? "ends" : "nodes";
}

function nodeTrace(uid, indices, frame, sizes, { colors }) {
  const marker = {
    symbol: SYMBOL_OF[uid],
    opacity: 1,
    size: gather(sizes, indices),
    color: indices.map((index) => fillOf(frame, index, colors)),
    line: { width: 0 },
  };
  const place = ({ x, y }) => [gather(x, indices), gather(y, indices)];
  return { trace: { uid, mode: "markers", hoverinfo: "skip", marker }, place };
}

function fillOf(frame, index, colors) {
  const { flags } = frame;
  if (flags[index] & ELIMINATED) return colors.dead;
  if (flags[index] & REDUNDANT) return colors.redundant;
  return valueColor(frame, index, colors);
}

/** Colour by value alone. */
export function valueColor({ values, valueRange: [low, high] }, index, colors) {
  if (Number.isNaN(values[index])) return colors.paper;
  return shade(high > low ? (values[index] - low) / (high - low) : 0.5);
}
