/** Heatmaps compared: the parts on any model, in a notebook and on a page without a kernel. */
import { all, html, whenInPage } from "../shared/dom.js";
import { listenToShortcuts } from "../shared/shortcuts.js";
import { mount as mountTrouble } from "../shared/trouble.js";
import { mount as mountHeader } from "../heatmap/heat_header.js";
import { mount as mountControls } from "./compare_heatmaps_controls.js";
import { mount as mountMoves } from "./compare_heatmaps_moves.js";
import { mount as mountPanels, SIMILARITY } from "./compare_heatmaps_panels.js";
import { compared, isKnown } from "./compared.js";

const PLACES = ["head", "panels", "controls", "below", "trouble"];

/** Mount a comparison. */
export function mount(element, source) {
  const model = withChosen(source);
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-heat-${name}` })]));
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-heatmap sokoviz-compare-heatmaps", tabindex: 0, "data-ends": "both", "data-lm-suppress-shortcuts": "true", "aria-label": `Heatmaps of ${model.get("about").game} compared` };
  const root = html("section", attributes, ...Object.values(places));
  element.append(root);
  return all(whenInPage(root, () => mountParts(root, places, model)), () => root.remove());
}

/** Which move is looked at concerns this page alone. */
function withChosen(model) {
  let chosen = "";
  const handlers = new Set();
  return {
    ...model,
    get: (name) => (name === "chosen" ? chosen : model.get(name)),
    set: (name, value) => {
      if (name !== "chosen") return model.set(name, value);
      chosen = value;
      return [...handlers].forEach((handler) => handler());
    },
    on: (name, handler) => {
      if (name !== "chosen") return model.on(name, handler);
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}

function mountParts(root, places, model) {
  return all(
    mountHeader(places.head, model, ["views", "stages", "ends", "record"], () => describe(model)),
    mountPanels(places.panels, model),
    mountControls(places.controls, model),
    mountMoves(places.below, model),
    mountTrouble(places.trouble, model),
    listenToShortcuts(root, { " ": ["Play curriculum", "Pause curriculum"], l: ["Logarithmic"] }, { escape: () => model.set("playing", false) }),
  );
}

function describe(model) {
  if (!isKnown(model)) return ["", "", model.get("record").text];
  const names = model.get("views").map(({ name }) => name);
  const { similarities } = compared(model);
  if (similarities.length === 1) return ["similarity ", similarities[0].toFixed(2), "", SIMILARITY];
  return [`similarity to ${names[0]}: `, similarities.map((each, index) => `${names[index + 1]} ${each.toFixed(2)}`).join(" · "), "", SIMILARITY];
}
