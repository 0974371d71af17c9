/** The frame of an explorer: its root, the places of its parts in the order in which they are read, and the size of its type. */
import { all, html, whenInPage } from "../shared/dom.js";
import { follow, unhurried } from "../shared/model.js";

const PLACES = ["head", "state", "tree", "story", "transport", "children", "charts", "trouble"];

/**
 * Mount an explorer. Each part finds its place in the page, so that it can measure its room and see the theme's colours.
 *
 * @param classes further classes of the root, as a function of what the search is about
 * @param mountParts called with {root, places, board}, the model, and a model for parts that let the tree go first
 */
export function mountFrame(element, model, classes, mountParts) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-at-${name}` })]));
  const body = html("div", { class: "sokoviz-parts" }, ...Object.values(places));
  // JupyterLab's shortcuts respect this attribute; some versions hear a key before it can be stopped here.
  const root = html("section", { class: "sokoviz sokoviz-explorer", tabindex: 0, "data-lm-suppress-shortcuts": "true" }, body);
  const update = () => {
    const about = model.get("about");
    root.classList.toggle("sokoviz-large", Boolean(model.get("large_type")));
    for (const [name, isOn] of Object.entries(classes(about))) root.classList.toggle(name, isOn);
    root.setAttribute("aria-label", `Search explorer: ${about.title}, ${about.game}`);
  };
  const mountAll = () => {
    const board = html("div", { class: "sokoviz-board-place" });
    places.state.append(board);
    return all(() => board.remove(), mountParts({ root, places, board }, model, unhurried(model)));
  };
  update();
  element.append(root);
  const off = follow(model, ["large_type", "about"], update);
  return all(off, whenInPage(root, mountAll), () => root.remove());
}
