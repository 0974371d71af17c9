/** The whole table of influence in the browser, its colours, and its words. A place is a square's index in the table. */
import { twoSidedColor } from "../heatmap/heat_scale.js";
import { indexOfSquares, squareName } from "../heatmap/sheet.js";
import { shade } from "../tree/tree_colors.js";

const N_COLORS = 24; // of a colour bar
const known = new WeakMap(); // tables that were read, by their bytes

/**
 * The table that the model has; null until it has been measured.
 *
 * @returns {n, at(from, to), squares, placeOf(row, column), nameOf(place), placeOfName(name), highest, widest}
 */
export function readTable(model) {
  const bytes = model.get("table");
  const { squares, highest, widest } = model.get("about");
  if (!bytes?.byteLength || !squares.length) return null;
  if (!known.has(bytes)) known.set(bytes, makeTable(bytes, squares, highest, widest, model.get("scene").picture));
  return known.get(bytes);
}

function makeTable(bytes, squares, highest, widest, picture) {
  const n = squares.length;
  const values = Uint16Array.from({ length: n * n }, (_, index) => bytes.getUint16(2 * index, true));
  const names = squares.map((square) => squareName(picture, square));
  const placeOfName = new Map(names.map((name, place) => [name, place]));
  return {
    n,
    squares,
    highest,
    widest,
    at: (from, to) => values[from * n + to],
    placeOf: indexOfSquares(squares),
    nameOf: (place) => names[place],
    placeOfName: (name) => placeOfName.get(name) ?? null,
  };
}

/** What a direction shows of two places: influence from one to the other, back, or the difference. */
export function valueOf(table, direction, one, other) {
  if (direction === "asymmetry") return table.at(one, other) - table.at(other, one);
  return direction === "from" ? table.at(one, other) : table.at(other, one);
}

/** Colour of a value; strong influence is light, and green where there is more of it than the other way round. */
export function colorOf(table, direction, value) {
  if (direction === "asymmetry") return twoSidedColor(-value / Math.max(table.widest, 1));
  return shade(1 - value / Math.max(table.highest, 1));
}

/** Whether black letters are read on the colour of a value. */
export function isLight(table, direction, value) {
  if (direction === "asymmetry") return Math.abs(value) < 0.6 * table.widest;
  return value < 0.55 * table.highest;
}

/** A value as people write it. */
export function said(direction, value) {
  if (direction !== "asymmetry") return String(value);
  return value > 0 ? `+${value}` : String(value).replace("-", "−");
}

/** The field of a place as an overlay that draw.js knows, with its colour bar. */
export function fieldOverlay(table, direction, place) {
  const low = direction === "asymmetry" ? -table.widest : 0;
  const high = direction === "asymmetry" ? table.widest : table.highest;
  const step = (high - low) / (N_COLORS - 1);
  const ends = direction === "asymmetry" ? [`${said(direction, low)} more from it`, `more to it ${said(direction, high)}`] : [`${low} strong`, `weak ${high}`];
  return {
    kind: "heat",
    squares: table.squares.map((square, other) => [...square, colorOf(table, direction, valueOf(table, direction, place, other))]),
    low: ends[0],
    high: ends[1],
    label: "",
    colors: Array.from({ length: N_COLORS }, (_, index) => colorOf(table, direction, low + step * index)),
  };
}

/** Both directions between two places in words. */
export function tellPair(table, one, other) {
  if (one === other) return `${table.nameOf(one)} on itself: ${table.at(one, one)}`;
  return `${table.nameOf(one)} → ${table.nameOf(other)}: ${table.at(one, other)} · back: ${table.at(other, one)}`;
}

/** Select a pair of squares by their names, either of which may be empty; the page knows it before Python has answered. */
export function select(model, source, target) {
  for (const [trait, name] of [["source", source], ["target", target]]) if (model.get(trait) !== name) model.set(trait, name);
}
