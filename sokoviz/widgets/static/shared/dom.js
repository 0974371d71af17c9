/** Small helpers for building a page: texts always go in as text, never as markup. */

/** An HTML element; attributes that are false or null are left out, children may be texts. */
export function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** An SVG element, made likewise. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Listen to an event; returns what stops it. */
export function listen(target, event, handler, options) {
  target.addEventListener(event, handler, options);
  return () => target.removeEventListener(event, handler, options);
}

/** Set an attribute only where that changes it, so that nothing is announced or laid out twice. */
export function setAttribute(target, key, value) {
  if (target.getAttribute(key) !== String(value)) target.setAttribute(key, value);
}

/** Set a text only where that changes it. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Let a slider's track be coloured up to its thumb. */
export function showShare(slider) {
  const [value, low, high] = [slider.value, slider.min, slider.max].map(Number);
  slider.style.setProperty("--sokoviz-share", high > low ? (value - low) / (high - low) : 0);
}

/** One clean-up function out of several. */
export function all(...cleanups) {
  return () => cleanups.forEach((cleanup) => cleanup());
}

/**
 * Do something as soon as an element is in the page: a notebook renders widgets before it attaches them.
 *
 * @param action returns a clean-up function
 * @returns a clean-up function, also for what has not been done yet
 */
export function whenInPage(element, action) {
  if (element.isConnected) return action();
  let cleanup = () => {};
  const observer = new ResizeObserver(() => {
    if (!element.isConnected) return;
    observer.disconnect();
    cleanup = action();
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    cleanup();
  };
}

const PATH_OF = {
  undo: "M6.5 3.5 3 7l3.5 3.5M3 7h6.2a3.3 3.3 0 0 1 0 6.6H6",
  redo: "M9.5 3.5 13 7l-3.5 3.5M13 7H6.8a3.3 3.3 0 0 0 0 6.6H10",
  restart: "M3.5 3.5v9M13 3.8 6.2 8l6.8 4.2z",
  play: "M4.5 3.2 12.5 8l-8 4.8z",
  pause: "M5 3.5v9M11 3.5v9",
  stop: "M4 4h8v8H4z",
  back: "M11.5 3.2 3.5 8l8 4.8z",
  fastBack: "M8 4 1.8 8 8 12zM14.4 4 8.2 8l6.2 4z",
  stepBack: "M12 3.2 5.5 8l6.5 4.8zM4 3.5v9",
  step: "M4 3.2 10.5 8 4 12.8zM12 3.5v9",
  fastForward: "M8 4l6.2 4L8 12zM1.6 4l6.2 4-6.2 4z",
};

/** A small picture for a button, hidden from those who hear its name. */
export function icon(name) {
  const attributes = { class: "sokoviz-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" };
  return svg("svg", attributes, svg("path", { d: PATH_OF[name] }));
}
