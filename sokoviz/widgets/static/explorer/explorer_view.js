/** The explorer on any model, in a notebook and on a page without a kernel: everything about one moment of a search, composed of parts. */
import { mount as mountCharts } from "../charts/charts.js";
import { mount as mountDetails } from "./details.js";
import { mount as mountDiagram } from "./diagram.js";
import { all, html, whenInPage } from "../shared/dom.js";
import { mount as mountKeys } from "./explorer_keys.js";
import { mount as mountHeader } from "./header.js";
import { mount as mountInspector } from "./inspector.js";
import { mount as mountLayers } from "./layers.js";
import { mount as mountMatch } from "./match.js";
import { follow, unhurried } from "../shared/model.js";
import { mount as mountNarration } from "./narration.js";
import { mount as mountPace } from "./pace.js";
import { mount as mountPosition } from "./position.js";
import { mount as mountSolution } from "./solution.js";
import { mount as mountTransport } from "./transport.js";
import { mount as mountTree } from "../tree/tree.js";
import { mount as mountTrouble } from "../shared/trouble.js";

/** Places of the parts, in the order in which they are read. */
const PLACES = ["head", "state", "tree", "story", "transport", "children", "charts", "trouble"];

/** Mount a whole explorer. */
export function mount(element, model) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-at-${name}` })]));
  const body = html("div", { class: "sokoviz-parts" }, ...Object.values(places));
  // JupyterLab's shortcuts respect this attribute; some versions hear a key before it can be stopped here.
  const root = html("section", { class: "sokoviz sokoviz-explorer", tabindex: 0, "data-lm-suppress-shortcuts": "true" }, body);
  const update = () => {
    root.classList.toggle("sokoviz-large", Boolean(model.get("large_type")));
    root.classList.toggle("sokoviz-roomy", Boolean(model.get("about").layers?.length));
    root.setAttribute("aria-label", `Search explorer: ${model.get("about").title}, ${model.get("about").game}`);
  };
  update();
  element.append(root);
  const off = follow(model, ["large_type", "about"], update);
  return all(off, whenInPage(root, () => mountParts(root, places, model)), () => root.remove());
}

/**
 * Mount the parts; each finds its place in the page, so that it can measure its room and see the theme's colours. A click
 * is answered by the tree; what stands around it is drawn when the tree is on the screen.
 */
function mountParts(root, places, model) {
  const calm = unhurried(model);
  const board = html("div", { class: "sokoviz-board-place" });
  places.state.append(board);
  return all(
    () => board.remove(),
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
