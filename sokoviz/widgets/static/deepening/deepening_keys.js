/** The keyboard of the explorer of iterative deepening: a step has no phases, all else is as in the other explorer. */
import { findControl, listenToShortcuts, stop } from "../shared/shortcuts.js";
import { pressForEvent } from "../explorer/explorer_keys.js";

/** All keys, for those who look them up. */
export const HELP = [
  ["Right, Left", "step, back"],
  ["Space", "play, pause"],
  ["Home, End", "first, last step"],
  ["R", "run, stop"],
  ["N, P", "run to the next, back to the previous event of the chosen kind"],
  ["Escape", "stop whatever goes on; leave a field"],
  ["F", "find a node"],
  ["0", "reset the view of the tree"],
  ["W", "follow: each step selects its node"],
  ["L", "large type"],
  ["Up, Down in the tree", "select the parent, the child with most below it"],
  ["Page up, Page down there", "select the node to the left, to the right"],
];

const PRESSES = {
  arrowright: ["Step iteration"],
  arrowleft: ["Back iteration"],
  "shift+arrowright": ["Step iteration"],
  "shift+arrowleft": ["Back iteration"],
  " ": ["Play", "Pause"],
  r: ["Run", "Stop"],
  0: ["Reset view"],
  w: ["Follow"],
  l: ["Large type"],
};

/** Mount the keyboard on the root of the explorer. */
export function mount(root, model) {
  return listenToShortcuts(root, PRESSES, {
    home: () => model.send({ kind: "goto", iteration: 0 }),
    end: () => model.send({ kind: "goto", iteration: model.get("record").last }),
    n: () => pressForEvent(root, "Run"),
    p: () => pressForEvent(root, "Previous event"),
    f: () => findControl(root, "Find node")?.focus(),
    escape: () => stop(model),
  });
}
