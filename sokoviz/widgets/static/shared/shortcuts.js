/** Keys of a whole widget: they press the buttons of the same meaning, so that both always do the same. */
import { all, listen } from "./dom.js";

/** Whether keys belong to what is focused: a field that is typed into, a list, a slider. */
const takesKeys = (target) => Boolean(target.closest("input, select, textarea, [contenteditable='true']"));

/** Whether Space and Enter press what is focused. */
const isPressed = (target) => Boolean(target.closest("button, summary, a[href]"));

/**
 * Listen to the keys pressed in a widget; none of them gets out to the notebook.
 *
 * @param root the element that has the focus or contains what has it
 * @param presses names of the buttons that a key presses, whichever of them is there, by key
 * @param commands functions by key
 */
export function listenToShortcuts(root, presses, commands) {
  const down = (event) => {
    event.stopPropagation();
    const key = nameKey(event);
    if (event.defaultPrevented || key === null) return;
    if (takesKeys(event.target)) {
      if (key === "escape") root.focus({ preventScroll: true });
      return;
    }
    if (key === " " && isPressed(event.target)) return;
    if (!(key in presses) && !(key in commands)) return;
    event.preventDefault();
    if (key in presses) press(root, presses[key], event.repeat);
    else if (!event.repeat) commands[key]();
  };
  return all(listen(root, "keydown", down), listen(root, "keyup", (event) => event.stopPropagation()));
}

/** A key with Shift, where that matters; null with other modifiers, which are the browser's. */
function nameKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.toLowerCase();
  return event.shiftKey && key.startsWith("arrow") ? `shift+${key}` : key;
}

/** The control of one of these names. */
export function findControl(root, ...names) {
  const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent.trim();
  return [...root.querySelectorAll("button, select, input")].find((control) => names.includes(nameOf(control)));
}

/** Press a button. A key held down steps again only after the answer, so that all stops when it is let go. */
function press(root, names, isRepeat) {
  const button = findControl(root, ...names);
  const isStep = /^(Step|Back)\b/.test(names[0]);
  if (isRepeat && (!isStep || button?.hasAttribute("data-waiting"))) return;
  button?.click();
}

/** Stop playing and running. */
export function stop(model) {
  if (model.get("playing")) model.set("playing", false);
  if (model.get("record").running) model.send({ kind: "stop" });
}
