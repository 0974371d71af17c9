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

/** One clean-up function out of several. */
export function all(...cleanups) {
  return () => cleanups.forEach((cleanup) => cleanup());
}

const PATH_OF = {
  undo: "M6.5 3.5 3 7l3.5 3.5M3 7h6.2a3.3 3.3 0 0 1 0 6.6H6",
  redo: "M9.5 3.5 13 7l-3.5 3.5M13 7H6.8a3.3 3.3 0 0 0 0 6.6H10",
  restart: "M3.5 3.5v9M13 3.8 6.2 8l6.8 4.2z",
  play: "M4.5 3.2 12.5 8l-8 4.8z",
  pause: "M5 3.5v9M11 3.5v9",
};

/** A small picture for a button, hidden from those who hear its name. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const attributes = { class: "sokoviz-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  path.setAttribute("d", PATH_OF[name]);
  svg.append(path);
  return svg;
}
