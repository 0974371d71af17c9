/** Paces a replay: a move is asked for only once the one before it has been drawn. */
import { all } from "../shared/dom.js";

/** Mount the pacemaker; nothing is shown, `element` is not used. */
export function mount(element, model) {
  let timer = null;
  let asked = null; // when the last move was asked for; null while nothing plays
  const stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  const ask = () => {
    timer = null;
    asked = performance.now();
    if (model.get("replaying")) model.send({ kind: "next", frame: model.get("scene").frame });
  };
  const update = () => {
    stop();
    if (!model.get("replaying")) {
      asked = null;
      return;
    }
    const now = performance.now();
    asked ??= now;
    // The time that the answer took is part of the interval, so that the speed is the one that was chosen.
    const delay = Math.max(0, asked + 1000 / model.get("replay_speed") - now);
    timer = setTimeout(() => requestAnimationFrame(ask), delay);
  };
  update();
  const offs = ["scene", "replaying", "replay_speed"].map((name) => model.on(name, update));
  return all(...offs, stop);
}
