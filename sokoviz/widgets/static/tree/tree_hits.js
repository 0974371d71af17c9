/** What lies under a pointer: found in our own places, so that plotly need not look for it and a quick click never errs. */
import { boxOfPill } from "./tree_marks.js";

const REACH = 7; // pixels around a node that still count

/**
 * The node or stub at a place, in pixels of the plot.
 *
 * @returns {index, isStub, x, y} with the middle of what was found; null where there is nothing
 */
export function hitAt({ sizes, pills, fans }, places, scale, x, y) {
  return pillAt(pills, places, scale, x, y) ?? nearest(sizes, fans, places, x, y);
}

function pillAt(pills, places, scale, x, y) {
  for (const pill of pills) {
    const [left, top, right, bottom] = boxOfPill(pill, places, scale);
    if (x >= left && x <= right && y >= top && y <= bottom) {
      return { index: pill.index, isStub: true, x: (left + right) / 2, y: (top + bottom) / 2 };
    }
  }
  return null;
}

function nearest(sizes, fans, places, x, y) {
  let best = { distance: REACH };
  const consider = (index, isStub, across, down, radius) => {
    const distance = Math.hypot(across - x, down - y) - radius;
    if (distance < best.distance) best = { distance, index, isStub, x: across, y: down };
  };
  for (const { index, dy } of fans) consider(index, true, places.x[index], places.y[index] + dy, 3);
  sizes.forEach((size, index) => consider(index, false, places.x[index], places.y[index], size / 2));
  return best.index === undefined ? null : best;
}
