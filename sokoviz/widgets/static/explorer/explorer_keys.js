/** The keyboard of the explorer: keys press the buttons of the same meaning, so that both always do the same. */
import { all, listen } from "../shared/dom.js";

/** Keys of each control, by its accessible name, for tooltips. */
export const KEY_OF = {
  "Step phase": "Right",
  "Back phase": "Left",
  "Step iteration": "Shift+Right",
  "Back iteration": "Shift+Left",
  Play: "Space",
  Pause: "Space",
  "Previous event": "P",
  Run: "R",
  Stop: "R or Escape",
  Follow: "W",
  "Large type": "L",
};

/** All keys, for those who look them up. */
export const HELP = [
  ["Right, Left", "step or back by phase"],
  ["Shift + Right, Left", "step or back by iteration"],
  ["Space", "play, pause"],
  ["Home, End", "first, last iteration"],
  ["R", "run, stop"],
  ["N, P", "run to the next, back to the previous event of the chosen kind"],
  ["Escape", "stop whatever goes on; leave a field"],
  ["F", "find a node"],
  ["0", "reset the view of the tree"],
  ["W", "follow: each step selects its node"],
  ["L", "large type"],
  ["Up, Down in the tree", "select the parent, the most visited child"],
  ["Page up, Page down there", "select the node to the left, to the right"],
];

const PRESSES = {
  arrowright: ["Step phase"],
  arrowleft: ["Back phase"],
  "shift+arrowright": ["Step iteration"],
  "shift+arrowleft": ["Back iteration"],
  " ": ["Play", "Pause"],
  r: ["Run", "Stop"],
  0: ["Reset view"],
  w: ["Follow"],
  l: ["Large type"],
};

/** Whether keys belong to what is focused: a field that is typed into, a list, a slider. */
const takesKeys = (target) => Boolean(target.closest("input, select, textarea, [contenteditable='true']"));

/** Whether Space and Enter press what is focused. */
const isPressed = (target) => Boolean(target.closest("button, summary, a[href]"));

/** Mount the keyboard on the explorer's root; no key pressed in it gets out to the notebook. */
export function mount(root, model) {
  const commands = {
    home: () => model.send({ kind: "goto", iteration: 0 }),
    end: () => model.send({ kind: "goto", iteration: model.get("record").last }),
    n: () => pressForEvent(root, "Run"),
    p: () => pressForEvent(root, "Previous event"),
    f: () => findControl(root, "Find node")?.focus(),
    escape: () => stop(model),
  };
  const down = (event) => {
    event.stopPropagation();
    const key = nameKey(event);
    if (event.defaultPrevented || key === null) return;
    if (takesKeys(event.target)) {
      if (key === "escape") root.focus({ preventScroll: true });
      return;
    }
    if (key === " " && isPressed(event.target)) return;
    if (!(key in PRESSES) && !(key in commands)) return;
    event.preventDefault();
    if (key in PRESSES) press(root, PRESSES[key], event.repeat);
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
function findControl(root, ...names) {
  const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent.trim();
  return [...root.querySelectorAll("button, select, input")].find((control) => names.includes(nameOf(control)));
}

/** Press a button. A key held down steps again only after the answer, so that all stops when it is let go. */
function press(root, names, isRepeat) {
  const button = findControl(root, ...names);
  const isStep = names[0].endsWith("phase") || names[0].endsWith("iteration");
  if (isRepeat && (!isStep || button?.hasAttribute("data-waiting"))) return;
  button?.click();
}

/** Run or go back to the event that is chosen; where an iteration is chosen, to the first kind of event in the list. */
function pressForEvent(root, name) {
  const list = findControl(root, "Run to");
  const button = findControl(root, name);
  const events = [...list.options].map((option) => option.value).filter((value) => value !== "iteration");
  if (!button || !events.length) return;
  if (!events.includes(list.value)) {
    list.value = events[0];
    list.dispatchEvent(new Event("change"));
  }
  button.click();
}

function stop(model) {
  if (model.get("playing")) model.set("playing", false);
  if (model.get("record").running) model.send({ kind: "stop" });
}
