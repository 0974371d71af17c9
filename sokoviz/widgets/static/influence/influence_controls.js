/** What is shown of a square, and the parameters of relevance cuts. */
import { makeButton } from "../shared/buttons.js";
import { all, html, setAttribute } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { makeSlider } from "../heatmap/heat_controls.js";

const LARGEST_K = 4;
const LONGEST_HISTORY = 20;
const LONGEST_VALUE = 11; // letters beside a slider
const DIRECTIONS = [
  ["from", "From", "How much the square influences the others"],
  ["to", "To", "How much the others influence the square"],
  ["asymmetry", "Asymmetry", "Influence from the square less that to it: green where it influences more than it is influenced"],
];

/** Mount the buttons that choose a direction. */
export function mountDirections(element, model) {
  const buttons = DIRECTIONS.map(([value, name, what]) => makeButton(name, what, [name], () => model.set("direction", value)));
  const update = () => buttons.forEach((button, index) => setAttribute(button, "aria-pressed", DIRECTIONS[index][0] === model.get("direction")));
  update();
  const group = html("span", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Direction" }, ...buttons);
  element.append(group);
  return all(follow(model, ["direction"], update), () => group.remove());
}

/** Mount the sliders; the model has `k`, `m`, `threshold` and `about`. */
export function mount(element, model) {
  const highest = () => Math.max(model.get("about").highest, model.get("threshold"));
  const sliders = [
    slider(model, "threshold", "Threshold", "Influence up to which two squares are near", highest, () => model.get("about").threshold),
    slider(model, "m", "m", "How many moves relevance cuts look back at", () => Math.max(LONGEST_HISTORY, model.get("m")), () => model.get("about").m),
    slider(model, "k", "k", "How many distant moves they let pass within the last m", () => Math.max(LARGEST_K, model.get("k")), () => 1),
  ];
  const reset = makeButton("Reset parameters", "Threshold and m as they are computed from the level, and k = 1", ["Reset"], () => model.send({ kind: "reset" }));
  const row = html("div", { class: "sokoviz-heat-row" }, html("strong", {}, "Relevance cuts"), ...sliders.map((each) => each.element), reset);
  const update = () => sliders.forEach((each) => each.update());
  update();
  element.append(row);
  return all(follow(model, ["k", "m", "threshold", "about", "record"], update), ...sliders.map((each) => each.cleanup), () => row.remove());
}

/** Whose threshold and m a level begins with. */
export function ownerOf(model) {
  return model.get("about").settings ? "program" : "paper";
}

function slider(model, trait, name, what, high, own) {
  const read = () => {
    const value = model.get(trait);
    const text = value === own() ? String(value) : `${value} (${ownerOf(model)}: ${own()})`;
    return { low: 0, high: high(), value, text: model.get("record").busy ? "" : text, longest: LONGEST_VALUE };
  };
  return makeSlider(name, what, read, (value) => model.set(trait, value));
}
