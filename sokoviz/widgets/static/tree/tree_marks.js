/** What this iteration does, drawn on the tree: the path, rings around nodes, the rollout's tail; and pills of all kinds. */
import { signed } from "../shared/numbers.js";
import { ALIKE, MOVED, NEW } from "./tree_frame.js";
import { lineThrough } from "./tree_layout.js";
import { escape, textWidth } from "../shared/text.js";

const [RING, PILL] = ["circle-open", "line-ew-open"];
const CROWDED = 13; // pixels between neighbours below which rings are thin
const LINE_EW = 1.4; // plotly draws this symbol that much longer than its size

/** Height in pixels of the pill of a stub. */
export const PILL_HEIGHT = 17;

/** The path from the root to the leaf that selection chose. */
export function planPath(frame, { colors, scale }) {
  const indices = drawn(frame, frame.marks.path ?? []);
  return indices.length > 1 ? [lineThrough("path", indices, colors.now, 3.5 * scale)] : [];
}

/** How lines between nodes are drawn, by role: where a subtree was, where it is now, and a position that is known already. */
const LINKS = { dead: { width: 2.25 }, new: { width: 3.5 }, context: { width: 1.5, dash: "4px,4px" } };

/** Lines between nodes that are no edges of the tree, or such as are new (figure 5.1). */
export function planLinks(frame, { colors, scale }) {
  const links = frame.marks.links ?? [];
  return Object.entries(LINKS).flatMap(([role, { width, dash }]) => {
    const ends = links.filter((link) => link[2] === role).map(([from, to]) => drawn(frame, [from, to])).filter((pair) => pair.length > 1);
    if (!ends.length) return [];
    const line = { color: colors[role], width: width * scale, simplify: false, ...(dash ? { dash } : {}) };
    const along = (values) => ends.flatMap(([from, to]) => [values[from], values[to], NaN]);
    const trace = { uid: `links${role}`, mode: "lines", hoverinfo: "skip", line };
    return [{ trace, place: ({ x, y }) => [along(x), along(y)] }];
  });
}

function drawn(frame, ids) {
  return ids.map((id) => frame.indexOf.get(id)).filter((index) => index !== undefined);
}

/** Rings: green around new and moved nodes, orange around the simulated one, blue around the selected one and its likes. */
export function planRings(frame, sizes, selected, { unit }, { colors, scale }) {
  const rings = [];
  const reach = new Map(); // the outermost ring of each node so far, so that rings lie around each other
  const add = (index, color, gap, width = 2.25) => {
    const size = (reach.get(index) ?? sizes[index]) + gap * scale;
    reach.set(index, size);
    rings.push({ index, color, size, width: width * scale });
  };
  const [gap, width] = unit < CROWDED * scale ? [2.5, 1.25] : [6, 2.25];
  frame.flags.forEach((flags, index) => {
    if (flags & (NEW | MOVED)) add(index, colors.new, gap, width);
    if (flags & ALIKE) add(index, colors.control, 7, 2.25);
  });
  drawn(frame, [frame.marks.simulated]).forEach((index) => add(index, colors.now, 10));
  drawn(frame, [selected]).forEach((index) => add(index, colors.control, 9));
  return { plan: rings.length ? [ringTrace(rings)] : [], reach };
}

function ringTrace(rings) {
  const indices = rings.map(({ index }) => index);
  const marker = {
    symbol: RING,
    opacity: 1,
    size: rings.map(({ size }) => size),
    color: rings.map(({ color }) => color),
    line: { width: rings.map(({ width }) => width) },
  };
  return {
    trace: { uid: "rings", mode: "markers", hoverinfo: "skip", marker },
    place: ({ x, y }) => [indices.map((index) => x[index]), indices.map((index) => y[index])],
  };
}

/**
 * The rollout as a wavy tail below the simulated node.
 *
 * @returns {plan, pills, blocked}: its lines, the badge with the outcome at its end, and the box of the tail itself
 */
export function planTail(frame, sizes, places, geometry, { colors, scale }) {
  const tail = frame.marks.tail;
  const index = frame.indexOf.get(tail?.node);
  if (index === undefined) return { plan: [], pills: [], blocked: [] };
  const text = badgeText(tail);
  const width = textWidth(text, 12 * scale, true) + 18 * scale;
  const start = sizes[index] / 2 + 5 * scale;
  const end = tailEnd(places.x[index], places.y[index], start, width, geometry, scale);
  const bends = Math.min(Math.max(tail.moves ?? 0, 2), 12);
  const place = ({ x, y }) => wave([x[index], y[index]], end, start, bends, 4.5 * scale);
  const line = (uid, color, size) => ({
    trace: { uid, mode: "lines", hoverinfo: "skip", line: { color, width: size * scale, simplify: false } },
    place,
  });
  const look = { width, height: 20, fill: colors.now, ink: colors.paper };
  const pill = { index, dx: end[0], dy: end[1], text: `<b>${escape(text)}</b>`, ...look };
  const [left, right] = [Math.min(end[0], 0) - 7 * scale, Math.max(end[0], 0) + 7 * scale];
  const blocked = [[places.x[index] + left, places.y[index] + start, places.x[index] + right, places.y[index] + end[1]]];
  return { plan: [line("tailhalo", colors.paper, 6), line("tail", colors.now, 2.25)], pills: [pill], blocked };
}

/** "X wins −1": what the rollout ended in, and its reward. */
function badgeText({ outcome, reward }) {
  if (reward === null || reward === undefined) return outcome;
  const digits = Number.isInteger(reward) ? 0 : 2;
  return `${outcome} ${reward > 0 ? "+" : ""}${signed(reward, digits)}`.trim();
}

/** Where the badge lies, from its node: below, within the plot, and beside where there is no room below. */
function tailEnd(x, y, start, width, { row, width: right, height }, scale) {
  const length = start + Math.min(Math.max(0.85 * row, 34 * scale), 58 * scale);
  const isSeen = x > 0 && x < right && y > 0 && y < height;
  if (!isSeen) return [0, length];
  const down = Math.min(length, height - 13 * scale - y);
  const aside = Math.min(Math.max(x, width / 2 + 4), right - width / 2 - 4) - x;
  if (down >= start + 22 * scale) return [aside, down];
  const side = x + start + 34 * scale + width < right ? 1 : -1;
  return [side * (start + 34 * scale + width / 2), Math.max(down, 0)];
}

/** A sine along a straight line, that begins and ends on it. */
function wave([x, y], [dx, dy], start, bends, height) {
  const length = Math.hypot(dx, dy) || 1;
  const [right, down] = [dx / length, dy / length];
  const n = bends * 8;
  const [xs, ys] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  for (let step = 0; step <= n; step++) {
    const share = step / n;
    const along = start + share * (length - start);
    const aside = Math.min(1, 5 * share, 5 * (1 - share)) * height * Math.sin(Math.PI * bends * share);
    xs[step] = x + along * right - aside * down;
    ys[step] = y + along * down + aside * right;
  }
  return [xs, ys];
}

/** Where a pill lies: on the line to its stub, or as far from its node as it says. */
function middleOf({ index, share, dx, dy }, { x, y, stubX, stubY }) {
  if (share === undefined) return [x[index] + dx, y[index] + dy];
  return [x[index] + share * (stubX[index] - x[index]), y[index] + share * (stubY[index] - y[index])];
}

/** Box of a pill: [left, top, right, bottom]. */
export function boxOfPill(pill, places, scale) {
  const [middle, level] = middleOf(pill, places);
  const [half, high] = [pill.width / 2, (pill.height * scale) / 2];
  return [middle - half, level - high, middle + half, level + high];
}

/** Pills: short thick lines with round ends, and a text on each. */
export function planPills(pills, { font, scale }) {
  if (!pills.length) return [];
  const marker = {
    symbol: PILL,
    opacity: 1,
    size: pills.map(({ width, height }) => Math.max(width - height * scale, 0.1) / LINE_EW),
    color: pills.map(({ fill }) => fill),
    line: { width: pills.map(({ height }) => height * scale) },
  };
  const trace = {
    uid: "pills",
    mode: "markers+text",
    hoverinfo: "skip",
    marker,
    text: pills.map(({ text }) => text),
    textposition: "middle center",
    textfont: { family: font, size: 11 * scale, color: pills.map(({ ink }) => ink) },
  };
  const place = (places) => {
    const middles = pills.map((pill) => middleOf(pill, places));
    return [middles.map(([x]) => x), middles.map(([, y]) => y)];
  };
  return [{ trace, place }];
}
