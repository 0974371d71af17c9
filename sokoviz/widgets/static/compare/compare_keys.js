/** The keyboard of a comparison. */
import { listenToShortcuts, stop } from "../shared/shortcuts.js";

/** All keys, for those who look them up. */
export const HELP = [
  ["Right, Left", "step or back by an iteration"],
  ["Space", "play, pause"],
  ["Home, End", "first, last iteration"],
  ["D", "first difference"],
  ["N", "next event of the chosen kind, in any of the searches"],
  ["R", "run, stop"],
  ["Escape", "stop whatever goes on; leave a field"],
  ["L", "large type"],
  ["Up, Down in a tree", "select the parent, the most visited child"],
  ["Page up, Page down there", "select the node to the left, to the right"],
  ["0 there", "reset the view of the tree"],
];

const PRESSES = {
  arrowright: ["Step"],
  arrowleft: ["Back"],
  " ": ["Play", "Pause"],
  d: ["First difference"],
  n: ["Next event"],
  r: ["Run", "Stop"],
  l: ["Large type"],
};

/** Mount the keyboard on the root of a comparison. */
export function mount(root, model) {
  return listenToShortcuts(root, PRESSES, {
    home: () => model.send({ kind: "goto", iteration: 0 }),
    end: () => model.send({ kind: "goto", iteration: model.get("record").last }),
    escape: () => stop(model),
  });
}
