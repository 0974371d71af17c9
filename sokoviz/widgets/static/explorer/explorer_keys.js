/** The keyboard of the explorer: keys press the buttons of the same meaning, so that both always do the same. */
import { findControl, listenToShortcuts, stop } from "../shared/shortcuts.js";

/** Keys of each control, by its accessible name, for tooltips; those of a comparison are among them. */
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
  Step: "Right",
  Back: "Left",
  "First difference": "D",
  "Next event": "N",
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

/** Buttons that keys press. */
export const PRESSES = {
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

/** Mount the keyboard on the explorer's root; no key pressed in it gets out to the notebook. */
export function mount(root, model, presses = PRESSES) {
  return listenToShortcuts(root, presses, {
    home: () => model.send({ kind: "goto", iteration: 0 }),
    end: () => model.send({ kind: "goto", iteration: model.get("record").last }),
    n: () => pressForEvent(root, "Run"),
    p: () => pressForEvent(root, "Previous event"),
    f: () => findControl(root, "Find node")?.focus(),
    escape: () => stop(model),
  });
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
