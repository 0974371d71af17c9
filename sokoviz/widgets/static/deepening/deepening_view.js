/** The explorer of iterative deepening on any model, in a notebook and on a page without a kernel, composed of the parts of the other explorer and of a few of its own. */
import { all } from "../shared/dom.js";
import { HELP, mount as mountKeys } from "./deepening_keys.js";
import { mount as mountLine } from "./deepening_line.js";
import { mount as mountSuccessors } from "./deepening_successors.js";
import { mount as mountThresholds } from "./deepening_thresholds.js";
import { mountFrame } from "../explorer/explorer_frame.js";
import { mount as mountHeader } from "../explorer/header.js";
import { mount as mountLayers } from "../explorer/layers.js";
import { mount as mountNarration } from "../explorer/narration.js";
import { mount as mountPace } from "../explorer/pace.js";
import { mount as mountPosition } from "../explorer/position.js";
import { mount as mountSolution } from "../explorer/solution.js";
import { mount as mountTransport } from "../explorer/transport.js";
import { mount as mountTree } from "../tree/tree.js";
import { mount as mountTrouble } from "../shared/trouble.js";

const CLASSES = { "sokoviz-roomy": true, "sokoviz-deepening": true };

/** Mount a whole explorer. */
export function mount(element, model) {
  return mountFrame(element, model, () => CLASSES, mountParts);
}

/** Mount the parts; what stands around the tree is drawn when the tree is on the screen. */
function mountParts({ root, places, board }, model, calm) {
  return all(
    mountHeader(places.head, calm, HELP),
    mountPosition(board, calm),
    mountLayers(board, calm),
    mountSolution(board, calm),
    mountLine(places.state, calm),
    mountPace(places.tree, model), // before the tree, whose first drawing it must hear
    mountTree(places.tree, model),
    mountNarration(places.story, calm),
    mountTransport(places.transport, calm),
    mountSuccessors(places.children, calm),
    mountThresholds(places.charts, calm),
    mountTrouble(places.trouble, model),
    mountKeys(root, model),
  );
}
