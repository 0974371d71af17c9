/** The keyboard of the explorer of iterative deepening: a step has no phases, all else is as in the other explorer. */
import { mount as mountKeys, PRESSES } from "../explorer/explorer_keys.js";

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

/** Mount the keyboard on the root of the explorer. */
export function mount(root, model) {
  return mountKeys(root, model, { ...PRESSES, arrowright: ["Step iteration"], arrowleft: ["Back iteration"] });
}
