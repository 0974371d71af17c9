/** Searches side by side on one clock, composed of the parts of the explorer and of a few of its own. */
import { mount as mountBoard } from "./compare_board.js";
import { mount as mountHeader } from "./compare_header.js";
import { mount as mountKeys } from "./compare_keys.js";
import { mount as mountPanel } from "./compare_panel.js";
import { mount as mountTransport } from "./compare_transport.js";
import { all, html, whenInPage } from "../shared/dom.js";
import { adapt, follow } from "../shared/model.js";
import { mount as mountTrouble } from "../shared/trouble.js";

const PLACES = ["head", "transport", "panels", "board", "trouble"];

/** Mount a whole comparison. */
export function mount(element, model) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-compare-${name}` })]));
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-compare", tabindex: 0, "data-lm-suppress-shortcuts": "true" };
  const root = html("section", attributes, ...Object.values(places));
  const update = () => {
    const { game, searches } = model.get("about");
    root.classList.toggle("sokoviz-large", Boolean(model.get("large_type")));
    root.setAttribute("aria-label", `Comparison of ${searches.map(({ name }) => name).join(" and ")}: ${game}`);
  };
  update();
  element.append(root);
  const off = follow(model, ["large_type"], update);
  return all(off, whenInPage(root, () => mountParts(root, places, model)), () => root.remove());
}

/** Mount the parts; each finds its place in the page, so that it can measure its room and see the theme's colours. */
function mountParts(root, places, model) {
  return all(
    mountHeader(places.head, model),
    mountTransport(places.transport, model),
    ...model.get("about").searches.map((_, index) => mountPanel(places.panels, model, index)),
    mountBoard(places.board, model),
    mountTrouble(places.trouble, model),
    mountKeys(root, model),
  );
}

export default { render: ({ model, el }) => mount(el, adapt(model)) };
