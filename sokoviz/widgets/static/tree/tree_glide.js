/** Decides where a tree begins to glide from: each node from where it is seen now, a new one from its parent. */
import { isStill } from "../shared/motion.js";

const MOST_NODES = 400;
const NOTICEABLE = 0.5; // pixels
const LATE = 100; // milliseconds that plotly may take to begin and to end a glide
const NAMES = ["x", "y", "stubX", "stubY"]; // of the arrays that say where things are

export class Glide {
  constructor() {
    this.last = null; // {ids, start, target, startedAt, duration} of the frame before
  }

  /** Forget the frame before: after a zoom or a new size nothing glides. */
  stop() {
    this.last = null;
  }

  /**
   * Where the nodes of a new frame start, in pixels; null where nothing glides.
   *
   * @param target where they belong
   * @param duration milliseconds of the glide, 0 for none
   */
  begin(frame, target, duration) {
    const isCalm = duration === 0 || frame.n > MOST_NODES || isStill();
    const start = isCalm || !this.last ? null : this.startOf(frame, target);
    this.duration = duration;
    this.last = { indexOf: frame.indexOf, start, target, startedAt: Infinity, duration };
    return start;
  }

  /** The nodes begin to move: until then the last frame is seen where it starts. */
  start() {
    this.last.startedAt = performance.now();
  }

  /** Whether a glide is under way or about to begin. */
  get isMoving() {
    return Boolean(this.last?.start) && performance.now() < this.last.startedAt + this.last.duration + LATE;
  }

  startOf({ ids, parents }, target) {
    const seen = this.seen();
    const start = copyOf(target);
    ids.forEach((id, index) => {
      const before = this.last.indexOf.get(id);
      if (before !== undefined) for (const name of NAMES) start[name][index] = seen[name][before];
      else if (parents[index] >= 0) {
        start.x[index] = start.stubX[index] = start.x[parents[index]];
        start.y[index] = start.stubY[index] = start.y[parents[index]];
      }
    });
    const isFar = (name) => start[name].some((place, index) => Math.abs(place - target[name][index]) > NOTICEABLE);
    return NAMES.some(isFar) ? start : null;
  }

  /** Where the nodes of the last frame are seen at this moment, perhaps on their way. */
  seen() {
    const { start, target, startedAt, duration } = this.last;
    const share = start ? Math.min(Math.max((performance.now() - startedAt) / duration, 0), 1) : 1;
    if (share >= 1) return target;
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - 4 * (1 - share) ** 3;
    const between = (from, to) => to.map((value, index) => from[index] + (value - from[index]) * eased);
    return Object.fromEntries(NAMES.map((name) => [name, between(start[name], target[name])]));
  }
}

function copyOf(places) {
  return Object.fromEntries(NAMES.map((name) => [name, places[name].slice()]));
}
