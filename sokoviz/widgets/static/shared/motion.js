/** When things move: pieces glide to where a new picture shows them. The drawing itself already has them there. */
import { CELL, pieceAt } from "./draw.js";

const STEP_MILLISECONDS = 90;
const LONGEST_MILLISECONDS = 600;

/** Whether the reader asked for less motion. */
export const isStill = () => globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Do something once what has changed is on the screen: to ask for sizes is cheap then, and nobody waits for it. */
export const afterPaint = (action) => requestAnimationFrame(() => setTimeout(action));

/**
 * Let the pieces of a drawing run along their ways.
 *
 * @param svg the drawing, already in its new state
 * @param ways for each piece that moved the squares it passed, all of one length, so that they keep time
 * @param available milliseconds since the picture before: a glide never lags behind the keys
 */
export function glide(svg, ways, available) {
  if (isStill() || !ways.length) return;
  const steps = ways[0].length - 1;
  const duration = Math.min(steps * STEP_MILLISECONDS, LONGEST_MILLISECONDS, Math.max(available, 1));
  for (const way of ways) {
    const piece = pieceAt(svg, ...way.at(-1));
    const frames = way.map(([row, column]) => ({ transform: `translate(${column * CELL}px, ${row * CELL}px)` }));
    piece?.animate(frames, { duration, easing: steps > 1 ? "linear" : "ease-out" });
  }
}
