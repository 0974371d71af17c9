/** Elimination in turn: the dead node goes first, then each ancestor that is left without children; then all of them fade. */
import { valueColor } from "./tree_layout.js";
import { ELIMINATED } from "./tree_frame.js";

const TURN = 450; // milliseconds a node, where there are few
const LONGEST = 3000; // milliseconds that all turns may take

/**
 * Tell each eliminated node when its turn is, and what it looks like before; the style sheet does the rest, nothing where
 * the reader wants no motion. Another elimination begins anew, also where plotly keeps the points of the one before.
 */
export function eliminateInTurn(plot, frame, { colors }) {
  const order = frame.marks.eliminated ?? [];
  const isAnother = plot.dataset.eliminated !== String(order);
  plot.dataset.eliminated = order;
  if (!order.length) return;
  const turnOf = new Map(order.map((id, turn) => [id, turn]));
  const indices = Array.from(frame.ids.keys()).filter((index) => frame.flags[index] & ELIMINATED); // as their points are drawn
  const milliseconds = Math.min(TURN, LONGEST / order.length);
  plot.style.setProperty("--sokoviz-turn-time", `${milliseconds}ms`);
  plot.style.setProperty("--sokoviz-turns", order.length);
  plot.querySelectorAll(".traceeliminated .point").forEach((point, place) => {
    point.style.setProperty("--sokoviz-turn", turnOf.get(frame.ids[indices[place]]) ?? order.length);
    point.style.setProperty("--sokoviz-before", valueColor(frame, indices[place], colors));
    if (isAnother) beginAnew(point);
  });
}

function beginAnew(point) {
  for (const animation of point.getAnimations()) {
    animation.cancel();
    animation.play();
  }
}
