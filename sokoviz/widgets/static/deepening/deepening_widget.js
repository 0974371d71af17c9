/** The explorer of iterative deepening, composed of the parts of the other explorer and of a few of its own. */
import { all, html, whenInPage } from "../shared/dom.js";
import { HELP, mount as mountKeys } from "./deepening_keys.js";
import { mount as mountLine } from "./deepening_line.js";
import { mount as mountSuccessors } from "./deepening_successors.js";
import { mount as mountThresholds } from "./deepening_thresholds.js";
import { mount as mountHeader } from "../explorer/header.js";
import { mount as mountLayers } from "../explorer/layers.js";
import { mount as mountNarration } from "../explorer/narration.js";
import { mount as mountPace } from "../explorer/pace.js";
import { mount as mountPosition } from "../explorer/position.js";
import { mount as mountSolution } from "../explorer/solution.js";
import { mount as mountTransport } from "../explorer/transport.js";
import { adapt, follow, unhurried } from "../shared/model.js";
import { mount as mountTree } from "../tree/tree.js";
import { mount as mountTrouble } from "../shared/trouble.js";

const PLACES = ["head", "state", "tree", "story", "transport", "children", "charts", "trouble"];

/** Mount a whole explorer. */
export function mount(element, model) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-at-${name}` })]));
  const body = html("div", { class: "sokoviz-parts" }, ...Object.values(places));
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-roomy sokoviz-deepening", tabindex: 0, "data-lm-suppress-shortcuts": "true" };
  const root = html("section", attributes, body);
  const update = () => {
    root.classList.toggle("sokoviz-large", Boolean(model.get("large_type")));
    root.setAttribute("aria-label", `Search explorer: ${model.get("about").title}, ${model.get("about").game}`);
  };
  update();
  element.append(root);
  const off = follow(model, ["large_type", "about"], update);
  return all(off, whenInPage(root, () => mountParts(root, places, model)), () => root.remove());
}

/** Mount the parts in their places; what stands around the tree is drawn when the tree is on the screen. */
function mountParts(root, places, model) {
  const calm = unhurried(model);
  const board = html("div", { class: "sokoviz-board-place" });
  places.state.append(board);
  return all(
    () => board.remove(),
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

export default { render: ({ model, el }) => mount(el, adapt(model)) };
