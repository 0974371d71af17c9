/** The header: what is searched, what is different, where the clock stands, and what the colours mean. */
import { makeButton } from "../shared/buttons.js";
import { all, html, setAttribute, setText, svg } from "../shared/dom.js";
import { HELP } from "./compare_keys.js";
import { keyList } from "../explorer/header.js";
import { follow } from "../shared/model.js";
import { grouped } from "../shared/numbers.js";

/** What is explained: the colour of the sign, words, its shape; and whether only searches of Sokoban, or only others, have it. */
const SIGNS = [
  { role: "redundant", words: "redundant: an earlier node has this position", isSokoban: true },
  { role: "now", words: "path of this iteration", isLine: true },
  { role: "new", words: "new or moved", isRing: true },
  { role: "context", words: "left out: known already", isLine: true, isSokoban: true },
  { role: "dead", words: "eliminated now", isCross: true, isSokoban: true },
  { role: "control", words: "selected position, wherever it stands", isRing: true, isSokoban: true },
  { role: "control", words: "selected node, in every tree", isRing: true, isSokoban: false },
];

/** Mount the header; the model has `about`, `iteration`, `record` and `large_type`. */
export function mount(element, model) {
  const { game, differing, has_positions: hasPositions } = model.get("about");
  const number = html("strong");
  const rest = html("span");
  const where = html("span", { class: "sokoviz-where" }, "after iteration ", number, rest);
  const large = makeButton("Large type", "Larger type, for a projector", ["Large type"], () => model.set("large_type", !model.get("large_type")));
  const named = (name, text) => html("span", { class: `sokoviz-${name}`, title: text }, text);
  const line = html("div", { class: "sokoviz-headline" }, named("title", "Compare"), named("game", game), named("settings", differing), where, large, keyList(HELP));
  const signs = SIGNS.filter(({ isSokoban }) => isSokoban === undefined || isSokoban === hasPositions);
  const legend = html("div", { class: "sokoviz-compare-legend" }, ...signs.map(signOf));
  const update = () => {
    setText(number, grouped(model.get("iteration")));
    setText(rest, ` of ${grouped(model.get("record").last)}`);
    setAttribute(large, "aria-pressed", Boolean(model.get("large_type")));
  };
  update();
  element.append(line, legend);
  return all(follow(model, ["iteration", "record", "large_type"], update), () => line.remove(), () => legend.remove());
}

/** A sign as the trees have it, and what it means. */
function signOf({ role, words, isLine, isRing, isCross }) {
  const drawn = isLine ? svg("path", { d: "M0 6h16" }) : svg("circle", { cx: 8, cy: 6, r: isRing ? 4.5 : 5 });
  const cross = isCross ? [svg("path", { d: "M5 3l6 6M11 3l-6 6" })] : [];
  const kind = isLine ? "line" : isRing || isCross ? "ring" : "disc";
  return html("span", {}, svg("svg", { class: `sokoviz-sign-${kind} sokoviz-sign-${role}`, viewBox: "0 0 16 12", "aria-hidden": "true" }, drawn, ...cross), words);
}
