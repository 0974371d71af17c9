/** The explorer on any model, in a notebook and on a page without a kernel: everything about one moment of a search, composed of parts. */
import { mount as mountCharts } from "../charts/charts.js";
import { mount as mountDetails } from "./details.js";
import { mount as mountDiagram } from "./diagram.js";
import { all } from "../shared/dom.js";
import { mountFrame } from "./explorer_frame.js";
import { mount as mountKeys } from "./explorer_keys.js";
import { mount as mountHeader } from "./header.js";
import { mount as mountInspector } from "./inspector.js";
import { mount as mountLayers } from "./layers.js";
import { mount as mountMatch } from "./match.js";
import { mount as mountNarration } from "./narration.js";
import { mount as mountPace } from "./pace.js";
import { mount as mountPosition } from "./position.js";
import { mount as mountSolution } from "./solution.js";
import { mount as mountTransport } from "./transport.js";
import { mount as mountTree } from "../tree/tree.js";
import { mount as mountTrouble } from "../shared/trouble.js";

/** Mount a whole explorer. */
export function mount(element, model) {
  return mountFrame(element, model, ({ layers }) => ({ "sokoviz-roomy": Boolean(layers?.length) }), mountParts);
}

/** Mount the parts. A click is answered by the tree; what stands around it is drawn when the tree is on the screen. */
function mountParts({ root, places, board }, model, calm) {
  return all(
    mountHeader(places.head, calm),
    mountMatch(places.head, calm),
    mountPosition(board, calm),
    mountLayers(board, calm),
    mountSolution(board, calm),
    mountDiagram(places.state, calm),
    mountPace(places.tree, model), // before the tree, whose first drawing it must hear
    mountTree(places.tree, model),
    mountNarration(places.story, calm),
    mountTransport(places.transport, calm),
    mountDetails(places.children, calm),
    mountInspector(places.children, calm),
    mountCharts(places.charts, calm),
    mountTrouble(places.trouble, model),
    mountKeys(root, model),
  );
}
