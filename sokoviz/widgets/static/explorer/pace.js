/** Paces playing: a step is asked for only once the one before it has been drawn. */
import { all, listen } from "../shared/dom.js";
import { follow } from "../shared/model.js";

const PATIENCE = 1500; // milliseconds to wait for an answer

/**
 * Mount the pacemaker.
 *
 * @param element where the tree is drawn: "sokoviz-drawn" is heard there, with the frame
 */
export function mount(element, model) {
  let drawn = null; // the frame that was drawn last
  let asked = null; // the frame whose successor was asked for
  let askedAt = null; // and when; null while nothing plays
  let timer = null;
  const ask = () => {
    asked = drawn;
    askedAt = performance.now();
    model.send({ kind: "next", frame: drawn });
    // A message may overtake the news that playing has begun, and is then not heard. Asking twice for one frame does no harm.
    timer = setTimeout(ask, PATIENCE);
  };
  const plan = () => {
    clearTimeout(timer);
    if (!model.get("playing")) {
      asked = null;
      askedAt = null;
      return;
    }
    const { frame } = model.get("tree");
    if (drawn !== frame) return;
    if (asked === frame) {
      timer = setTimeout(ask, PATIENCE);
      return;
    }
    // The time that the answer took is part of the interval, so that the speed is the one that was chosen.
    const due = askedAt === null ? 0 : askedAt + 1000 / model.get("speed");
    timer = setTimeout(ask, Math.max(0, due - performance.now()));
  };
  const note = (event) => {
    drawn = event.detail;
    plan();
  };
  // Caught on its way down, so that it does not matter whether it bubbles.
  const off = listen(element, "sokoviz-drawn", note, true);
  return all(off, follow(model, ["playing", "speed"], plan), () => clearTimeout(timer));
}
