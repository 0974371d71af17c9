/** Stubs below nodes that have folded nodes: a pill "+14" at the end of an edge where there is room, else a small fan. */
import { boxOfPill, PILL_HEIGHT } from "./tree_marks.js";
import { textWidth } from "../shared/text.js";

const PADDING = 13; // pixels of a pill beside its text
const SHARE = 0.62; // where on its line a pill lies that has no room at the end of it

/**
 * Plan the stubs.
 *
 * @param height that of the plot: a pill does not lie below it
 * @param tail the rollout's tail, of which pills keep clear
 * @returns {pills, fans}: pills to draw, each with its `share` of the way to its place, and small fans as {index, dy}
 */
export function planStubs(frame, sizes, places, { height }, tail, { colors, scale }) {
  const badges = tail.pills.map((pill) => boxOfPill(pill, places, scale));
  const blocked = [[-Infinity, height, Infinity, Infinity], ...tail.blocked, ...badges];
  const [pills, fans] = [[], []];
  const found = frame.rows.map((row) => row.filter((index) => frame.hidden[index] > 0));
  found.forEach((indices, depth) => {
    const stubs = indices.map((index) => [places.stubX[index], 4 * scale]);
    let takenAt = null; // made where there is room for any pill: in a large tree most rows are tight
    const roomFor = (index, pill) => {
      const nodes = () => (frame.rows[depth + 1] ?? []).map((each) => [places.x[each], sizes[each] / 2]);
      takenAt ??= { 1: [...stubs, ...nodes()], [SHARE]: stubs };
      const isRoomAt = (share) => isFree(takenAt[share], places.stubX[index], pill.width / 2)
        && !crosses(boxOfPill({ ...pill, share }, places, scale), blocked);
      return [1, SHARE].find(isRoomAt);
    };
    indices.forEach((index, order) => {
      const pill = isTight(stubs, order, (PADDING * scale) / 2) ? null : pillOf(frame, index, colors, scale);
      const share = !pill || isTight(stubs, order, pill.width / 2) ? undefined : roomFor(index, pill);
      if (share === undefined) fans.push({ index, dy: sizes[index] / 2 + 5 * scale });
      else {
        pills.push({ ...pill, share });
        blocked.push(boxOfPill({ ...pill, share }, places, scale)); // of other rows, where these lie close to each other
      }
    });
  });
  return { pills, fans };
}

function pillOf(frame, index, colors, scale) {
  const text = `+${brief(frame.hidden[index])}`;
  const width = textWidth(text, 11 * scale) + PADDING * scale;
  return { index, text, width, fill: colors.pill, ink: colors["ink-soft"], height: PILL_HEIGHT };
}

/** Whether the stubs beside one in its row leave no room: so it is with most of them in a large tree. */
function isTight(stubs, order, reach) {
  const [x, radius] = stubs[order];
  const isNear = (other) => other !== undefined && Math.abs(other[0] - x) < reach + radius + 2;
  return isNear(stubs[order - 1]) || isNear(stubs[order + 1]);
}

/** Whether nothing but the stub itself is within reach in a row of [place, radius]. */
function isFree(taken, x, reach) {
  let near = 0;
  for (const [place, radius] of taken) {
    if (Math.abs(place - x) < reach + radius + 2 && ++near > 1) return false;
  }
  return true;
}

function crosses(box, others) {
  return others.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
}

/** A count in at most four signs. */
function brief(count) {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
