/** The small model that every part talks to: get, set, on, send, onMessage. */
import { all } from "./dom.js";
import { afterPaint } from "./motion.js";

const LOST = "The kernel behind this is gone. Run the cell again to go on.";

/** The small model over anywidget's. After a restart of the kernel nobody listens any more: the reader is told so. */
export function adapt(source) {
  const attempt = (action) => {
    try {
      action();
    } catch (error) {
      source.set("trouble", { summary: LOST, details: String(error) });
    }
  };
  return {
    get: (name) => source.get(name),
    set: (name, value) => {
      source.set(name, value);
      attempt(() => source.save_changes());
    },
    on: (name, handler) => {
      source.on(`change:${name}`, handler);
      return () => source.off(`change:${name}`, handler);
    },
    send: (message) => attempt(() => source.send(message)),
    onMessage: (handler) => {
      source.on("msg:custom", handler);
      return () => source.off("msg:custom", handler);
    },
  };
}

/** Call `update` once a message, however many of the traits it changes; returns what stops that. */
export function follow(model, names, update) {
  let isDue = false;
  let isOver = false;
  const run = () => {
    isDue = false;
    if (!isOver) update();
  };
  const ask = () => {
    if (!isDue) queueMicrotask(run);
    isDue = true;
  };
  return all(...names.map((name) => model.on(name, ask)), () => { isOver = true; });
}

/**
 * The same model for parts that let others go first: they hear of changes, all at once, when what those have drawn of
 * the same changes is on the screen.
 */
export function unhurried(model) {
  const due = new Set();
  const tell = () => {
    const handlers = [...due];
    due.clear();
    for (const handler of handlers) handler();
  };
  const note = (handler) => {
    if (!due.size) afterPaint(tell);
    due.add(handler);
  };
  const on = (name, handler) => {
    const hear = () => handler(); // each listener by itself, for one function may listen to several traits
    return all(model.on(name, () => note(hear)), () => due.delete(hear));
  };
  return { ...model, on };
}
