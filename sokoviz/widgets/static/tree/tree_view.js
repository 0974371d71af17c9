/**
 * Where nodes lie on the screen: a geometry has `unit` and `row`, pixels a unit of the layout and a level of the tree,
 * and `left` and `top`, the root's place. It changes in steps, so that a node that did not move stays on its pixel.
 */

const UNIT = 96; // pixels between neighbours where there is room for it
const UNIT_STEP = 0.9;
const ROW = 84; // pixels between levels where there is room for it
const ROW_STEP = 0.92;
const SMALLEST_ROW = 3;
const SIDE = 26; // pixels kept free at the sides
const ABOVE = 34; // pixels above the root's middle
const BELOW = [46, 64]; // fewest and most pixels below the deepest node, for stubs and the tail of a rollout
const BELOW_STUBS = 18; // pixels below a row of stubs
const STUB_UNIT = 30; // pixels between neighbours from which on stubs have a row of their own
const SLACK = 1.7; // a tree is drawn larger only if it could be this much larger

/** Keeps the geometry from frame to frame, fitted to the tree or chosen by the reader. */
export class View {
  constructor() {
    this.fitted = null;
    this.chosen = null; // ranges of the axes that the reader zoomed or dragged to
  }

  /** The geometry for a frame in a plot of this size. */
  geometry(frame, { width, height }, scale) {
    const previous = this.isLike(width, height, scale) ? this.fitted : null;
    const across = fitAcross(previous, extent(frame.xs, frame.stubs), width, scale);
    const down = fitDown(previous, frame, across.unit, height, scale);
    this.fitted = { width, height, scale, ...across, ...down };
    return this.chosen ? fromRanges(this.chosen, width, height) : this.fitted;
  }

  isLike(width, height, scale) {
    return this.fitted?.width === width && this.fitted.height === height && this.fitted.scale === scale;
  }

  /** Keep what the reader zoomed or dragged to. */
  choose(x, y) {
    this.chosen = { x: [...x], y: [...y] };
  }

  /** Show the whole tree again. */
  reset() {
    this.chosen = null;
    this.fitted = null;
  }

  /** Move a chosen view so that a node lies within it; returns whether that was needed. */
  reveal(x, depth) {
    if (!this.chosen) return false;
    const before = JSON.stringify(this.chosen);
    this.chosen = { x: shifted(this.chosen.x, x), y: shifted(this.chosen.y, -depth) };
    return JSON.stringify(this.chosen) !== before;
  }
}

/** A range that contains a place: as it is, or with the place in its middle. */
function shifted([low, high], place) {
  const margin = (high - low) * 0.04;
  const isInside = place > low + margin && place < high - margin;
  return isInside ? [low, high] : [place - (high - low) / 2, place + (high - low) / 2];
}

/** Lowest and highest of all places; those that are none count for nothing. */
function extent(...arrays) {
  let [low, high] = [0, 0];
  for (const places of arrays) {
    for (const x of places) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
  }
  return [low, high];
}

/** The largest step of a ladder at which a length fits. */
function largestStep(length, room, largest, ratio) {
  let step = largest;
  while (length * step > room) step *= ratio;
  return step;
}

function fitAcross(previous, [low, high], width, scale) {
  const side = SIDE * scale;
  const room = Math.max(width - 2 * side, 40);
  const unit = largestStep(high - low, room * 0.96, UNIT * scale, UNIT_STEP);
  const at = (x) => previous.left + x * previous.unit;
  const isInside = previous && at(low) >= side - 1 && at(high) <= width - side + 1;
  if (isInside && unit < previous.unit * SLACK) return { unit: previous.unit, left: previous.left };
  const first = side - low * unit; // the root's place with the tree at the very left
  const slack = room - (high - low) * unit;
  const left = Math.min(Math.max(width / 2, first + 0.3 * slack), first + 0.7 * slack);
  return { unit, left: Math.round(left) };
}

function fitDown(previous, { rows, hidden }, unit, height, scale) {
  const top = ABOVE * scale;
  const hasStubs = unit >= STUB_UNIT * scale && rows.at(-1).some((index) => hidden[index] > 0);
  const depth = rows.length - 1 + (hasStubs ? 1 : 0);
  const below = (row) => (hasStubs ? BELOW_STUBS * scale : Math.min(Math.max(0.75 * row, BELOW[0] * scale), BELOW[1] * scale));
  const isInside = (row) => depth * row + below(row) <= height - top;
  let row = ROW * scale;
  while (row > SMALLEST_ROW && !isInside(row)) row *= ROW_STEP;
  return { row: previous && isInside(previous.row) && row < previous.row * SLACK ? previous.row : row, top };
}

/** The ranges of the axes; the level of a node is its depth below zero. */
export function toRanges({ unit, row, left, top, width, height }) {
  return { x: [-left / unit, (width - left) / unit], y: [(top - height) / row, top / row] };
}

function fromRanges({ x, y }, width, height) {
  const unit = width / (x[1] - x[0]);
  const row = height / (y[1] - y[0]);
  return { unit, row, left: -x[0] * unit, top: y[1] * row, width, height };
}

/** Where the nodes of a frame belong, in pixels, and the stubs below them; a stub without a place lies below its node. */
export function placesOf({ xs, stubs, depths }, { unit, row, left, top }) {
  const x = mapped(xs, (each) => left + each * unit);
  const y = mapped(depths, (depth) => top + depth * row);
  const stubX = mapped(stubs, (each, index) => (Number.isNaN(each) ? x[index] : left + each * unit));
  const stubY = mapped(stubs, (each, index) => y[index] + (Number.isNaN(each) ? 0.6 * row : row));
  return { x, y, stubX, stubY };
}

/** Places on the axes of a plot out of pixels. */
export function toAxes([x, y], { unit, row, left, top }) {
  return { x: mapped(x, (each) => (each - left) / unit), y: mapped(y, (each) => (top - each) / row) };
}

/** Numbers made of others, as `Float64Array.from` does it in ten times the time. */
export function mapped(values, change) {
  const made = new Float64Array(values.length);
  for (let index = 0; index < made.length; index++) made[index] = change(values[index], index);
  return made;
}
