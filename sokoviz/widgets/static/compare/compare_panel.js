/** One search of a comparison: its tree, what it did in this iteration, its figures, and how it grew. */
import { mount as mountChart } from "./compare_chart.js";
import { all, html, setText } from "../shared/dom.js";
import { mount as mountPace } from "../explorer/pace.js";
import { follow } from "../shared/model.js";
import { mount as mountTree } from "../tree/tree.js";

/** Mount the panel of the search with this index. */
export function mount(element, model, index) {
  const { name, settings } = model.get("about").searches[index];
  const [tree, chart] = ["tree", "chart"].map((part) => html("div", { class: `sokoviz-panel-${part}` }));
  const story = html("div", { class: "sokoviz-panel-story", "aria-live": "polite" });
  const list = html("dl", { class: "sokoviz-panel-figures" });
  const title = html("div", { class: "sokoviz-panel-title" }, html("strong", { title: name }, name), html("span", { title: settings }, settings));
  const panel = html("article", { class: "sokoviz-panel", "aria-label": name }, title, tree, list, story, chart);
  element.append(panel);
  const own = modelOf(model, index);
  const tell = () => story.replaceChildren(...model.get("stories")[index].map(runOf));
  const count = () => showFigures(list, model.get("figures")[index]);
  tell();
  count();
  return all(
    index === 0 ? mountPace(tree, own) : () => {}, // before the tree, whose first drawing it must hear
    mountTree(tree, own),
    mountChart(chart, model, index),
    follow(model, ["stories"], tell),
    follow(model, ["figures"], count),
    () => panel.remove(),
  );
}

/** The model of a comparison as one of its trees sees it: with a tree and perhaps a selected node of its own. */
export function modelOf(model, index) {
  const own = {
    tree: () => model.get("trees")[index],
    node: () => (model.get("which") === index ? model.get("node") : -1),
  };
  const traitsOf = { tree: ["trees"], node: ["which", "node"] };
  return {
    ...model,
    get: (name) => (name in own ? own[name]() : model.get(name)),
    on: (name, handler) => all(...(traitsOf[name] ?? [name]).map((trait) => model.on(trait, handler))),
    send: (message) => model.send(["select", "unfold", "fold", "find"].includes(message.kind) ? { ...message, search: index } : message),
  };
}

/** A part of a sentence; its role picks the colour. */
function runOf([text, role]) {
  if (role === "strong") return html("strong", {}, text);
  return role ? html("strong", { class: `sokoviz-role-${role}` }, text) : text;
}

/** Figures as [key, name, text]; what is there already keeps its place. */
function showFigures(list, figures) {
  const known = list.children;
  figures.forEach(([key, name, text], place) => {
    if (!known[place]) list.append(html("div", { "data-figure": key }, html("dt", {}, name), html("dd")));
    setText(known[place].lastChild, text);
    known[place].classList.toggle("sokoviz-none", text === "0" || text === "–");
  });
}
