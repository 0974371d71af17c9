/** Elimination in turn: the dead node goes first, then each ancestor that is left without children; then all of them fade. */
import { ELIMINATED } from "./tree_frame.js";

const TURN = 450; // milliseconds a node, where there are few
const LONGEST = 3000; // milliseconds that all turns may take

/** Tell each eliminated node when its turn is; the style sheet does the rest, nothing where the reader wants no motion. */
export function eliminateInTurn(plot, frame) {
  const order = frame.marks.eliminated ?? [];
  if (!order.length) return;
  const turnOf = new Map(order.map((id, turn) => [id, turn]));
  const ids = Array.from(frame.ids).filter((_, index) => frame.flags[index] & ELIMINATED); // as their points are drawn
  const milliseconds = Math.min(TURN, LONGEST / order.length);
  plot.style.setProperty("--sokoviz-turn-time", `${milliseconds}ms`);
  plot.style.setProperty("--sokoviz-turns", order.length);
  plot.querySelectorAll(".traceeliminated .point").forEach((point, place) => {
    point.style.setProperty("--sokoviz-turn", turnOf.get(ids[place]) ?? order.length);
  });
}
