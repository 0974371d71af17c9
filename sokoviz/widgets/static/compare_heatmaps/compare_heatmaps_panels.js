/** The heatmaps side by side on one scale, and what each has more and less than the first. */
import { makeButton } from "../shared/buttons.js";
import { all, html, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { differenceOverlay, heatOverlay, percent } from "../heatmap/heat_scale.js";
import { summary, tellVotes } from "../heatmap/heat_map.js";
import { indexOfSquares, makeSheet, squareName } from "../heatmap/sheet.js";
import { compared, isKnown } from "./compared.js";

export const SIMILARITY = "Similarity is the mass that two heatmaps share: over all squares, the sum of the smaller of both shares. It is 1 where the votes fall alike, and 0 where no square has votes in both.";
const [ONE_ROW, WIDEST] = [3, 4]; // panels side by side
const TRAITS = ["views", "stages", "ends", "logarithmic", "selected", "chosen"];

/** Mount the panels; the model has the traits above and `about`. */
export function mount(element, model) {
  const names = model.get("views").map(({ name }) => name);
  const heats = names.map((name, index) => makePanel(model.get("views")[index].picture, name, () => model.set("selected", index)));
  const changes = names.slice(1).map((name, index) => makePanel(model.get("views")[index + 1].picture, `${name} − ${names[0]}`, null));
  const panels = [...heats, ...changes];
  // Two views and their difference stand in a row; differences of more stand under their views.
  const isOneRow = panels.length <= ONE_ROW;
  element.style.setProperty("--sokoviz-panels", isOneRow ? panels.length : Math.min(names.length, WIDEST));
  changes[0].element.classList.toggle("sokoviz-under-its-view", !isOneRow && names.length <= WIDEST);
  element.append(...panels.map((panel) => panel.element));
  const update = () => show(model, heats, changes);
  update();
  return all(follow(model, TRAITS, update), ...panels.map((panel) => panel.cleanup));
}

/** A titled picture; where `select` is given, its title is a button. */
function makePanel(picture, name, select) {
  const sheet = makeSheet(picture);
  const title = select ? makeButton(`Moves of ${name}`, `List the moves of ${name} below`, [name], select) : html("strong", {}, name);
  const text = html("span", { class: "sokoviz-note" });
  const line = html("figcaption", {}, title, text);
  const element = html("figure", { class: "sokoviz-heat", "aria-label": name }, line, sheet.element);
  return { element, title, text, sheet, cleanup: all(sheet.cleanup, () => element.remove()) };
}

function show(model, heats, changes) {
  const { squares } = model.get("about");
  const views = model.get("views");
  if (!isKnown(model)) {
    heats.forEach((panel, index) => panel.sheet.show(views[index].picture, views[index].title));
    return;
  }
  const state = compared(model);
  const indexOf = indexOfSquares(squares);
  heats.forEach((panel, index) => showHeat(model, panel, index, state, indexOf));
  changes.forEach((panel, index) => showChange(model, panel, index, state, indexOf));
}

function showHeat(model, panel, index, { frames, shares, scale }, indexOf) {
  const { squares } = model.get("about");
  const view = model.get("views")[index];
  const frame = frames[index];
  const overlay = heatOverlay(squares, shares[index], scale, index ? "same scale" : "share of votes");
  const isSelected = model.get("selected") === index;
  const move = isSelected ? frame.moves.find(({ name }) => name === model.get("chosen")) : null;
  const arrow = move ? [{ kind: "arrow", role: "now", squares: move.squares, label: "" }] : [];
  const ends = model.get("ends");
  const tell = (row, column) => {
    const at = indexOf(row, column);
    return at === undefined ? null : tellVotes(squareName(view.picture, [row, column]), frame[ends][at], frame.n_votes);
  };
  setText(panel.text, frame.label);
  setAttribute(panel.text, "title", `${view.title} · ${frame.label}`);
  setAttribute(panel.title, "aria-pressed", isSelected);
  const said = summary(view.picture, { ...frame, squares }, ends);
  panel.sheet.show({ ...view.picture, overlays: [overlay, ...arrow] }, `${view.name}: ${said}`, tell);
}

function showChange(model, panel, index, { changes, changeScale, similarities, shares }, indexOf) {
  const { squares } = model.get("about");
  const views = model.get("views");
  const { picture, name } = views[index + 1];
  const tell = (row, column) => {
    const at = indexOf(row, column);
    if (at === undefined) return null;
    const change = changes[index][at];
    const sign = change > 0 ? "+" : change < 0 ? "−" : "";
    return `${squareName(picture, [row, column])}: ${views[0].name} ${percent(shares[0][at])}, ${name} ${percent(shares[index + 1][at])}: ${sign}${percent(Math.abs(change))}`;
  };
  setText(panel.text, `similarity ${similarities[index].toFixed(2)}`);
  setAttribute(panel.text, "title", SIMILARITY);
  panel.sheet.show({ ...picture, overlays: [differenceOverlay(squares, changes[index], changeScale)] }, `${name} minus ${views[0].name}: similarity ${similarities[index].toFixed(2)}`, tell);
}
