/** The header: what is searched, how, and where in the search the reader is. */
import { makeButton } from "../shared/buttons.js";
import { all, html, setAttribute, setText } from "../shared/dom.js";
import { HELP } from "./explorer_keys.js";
import { follow } from "../shared/model.js";
import { counted, grouped } from "../shared/numbers.js";

const TRAITS = ["about", "iteration", "phase", "record", "tree", "story", "follow", "large_type"];
const TOGGLES = [
  ["follow", "Follow", "Each step selects the node that it is about; selecting a node by hand ends that"],
  ["large_type", "Large type", "Larger type, for a projector"],
];

/** Mount the header; the model has the traits listed above, and `help` are the keys to be listed. */
export function mount(element, model, help = HELP) {
  const [title, game, settings] = ["title", "game", "settings"].map((name) => html("span", { class: `sokoviz-${name}` }));
  const lead = html("span", { class: "sokoviz-lead" });
  const number = html("strong");
  const rest = html("span");
  const where = html("span", { class: "sokoviz-where" }, lead, number, rest);
  const toggles = TOGGLES.map(([trait, name, what]) => ({ trait, button: makeButton(name, what, [name], () => model.set(trait, !model.get(trait))) }));
  const line = html("div", { class: "sokoviz-headline" }, title, game, settings, where, ...toggles.map((each) => each.button), keyList(help));
  const update = () => {
    const about = model.get("about");
    for (const [part, text] of [[title, about.title], [game, about.game], [settings, about.settings]]) {
      setText(part, text);
      setAttribute(part, "title", text);
    }
    const place = model.get("story").place ?? describePlace(model);
    setText(lead, place.lead);
    setText(number, place.number);
    setText(rest, place.rest);
    for (const { trait, button } of toggles) setAttribute(button, "aria-pressed", Boolean(model.get(trait)));
  };
  update();
  element.append(line);
  return all(follow(model, TRAITS, update), () => line.remove());
}

/** "in iteration 37 of 120" while a phase is shown, "after iteration 37 of 120" between iterations. */
function describePlace(model) {
  const isWithin = model.get("phase") !== "";
  const number = model.get("iteration") + (isWithin ? 1 : 0);
  const word = isWithin ? "in" : number ? "after" : "at";
  const last = Math.max(model.get("record").last, number);
  const { n_nodes: nodes } = model.get("tree");
  return { lead: `${word} iteration `, number: grouped(number), rest: ` of ${grouped(last)} · ${counted(nodes, "node")} in the tree` };
}

/** All keys, folded away; they open above what lies below, so that nothing moves. */
export function keyList(help) {
  const rows = help.map(([keys, action]) => html("li", {}, html("b", {}, keys), html("span", {}, action)));
  return html("details", { class: "sokoviz-keys" }, html("summary", { class: "sokoviz-button" }, "Keys"), html("ul", { class: "sokoviz-help" }, ...rows));
}
