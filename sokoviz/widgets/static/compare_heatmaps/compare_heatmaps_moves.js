/** The moves of the selected view, and what every view gives the selected one. */
import { all, html, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";
import { makeMoveTable } from "../heatmap/heat_moves.js";
import { percent, probability } from "../heatmap/heat_scale.js";
import { framesOf, isKnown } from "./compared.js";

const TRAITS = ["views", "stages", "selected", "chosen", "record"];

/** Mount the list and the words; the model has the traits above. */
export function mount(element, model) {
  const table = makeMoveTable((move) => model.set("chosen", move));
  const note = html("span", { class: "sokoviz-note" });
  const line = html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Legal moves"), note);
  const list = html("div", { class: "sokoviz-heat-moves" }, line, table.element);
  const heading = html("strong");
  const words = html("dl");
  const story = html("div", { class: "sokoviz-compare-words" }, html("div", { class: "sokoviz-heat-title" }, heading), words);
  element.append(list, story);
  const update = () => show(model, { table, note, heading, words });
  update();
  return all(follow(model, TRAITS, update), table.cleanup, () => [list, story].forEach((each) => each.remove()));
}

function show(model, { table, note, heading, words }) {
  if (!isKnown(model)) {
    setText(note, model.get("record").text);
    return;
  }
  const views = model.get("views");
  const frames = framesOf(model);
  const selected = model.get("selected");
  const { moves, n_moves: all, rest, n_votes: votes } = frames[selected];
  const chosen = chosenMove(model, moves);
  const more = all > moves.length ? ` · ${counted(all - moves.length, "more move")} together ${percent(rest)}` : "";
  setText(note, `of ${views[selected].name}${more}`);
  table.show(moves, votes, chosen);
  setText(heading, chosen ? `${chosen} in every view` : "No legal move");
  words.replaceChildren(...views.flatMap((view, index) => tell(view, frames[index], chosen)));
}

/** The chosen move if the selected view lists it, else its likeliest. */
function chosenMove(model, moves) {
  const wanted = model.get("chosen");
  const name = moves.some((move) => move.name === wanted) ? wanted : moves[0]?.name ?? "";
  if (name !== wanted) queueMicrotask(() => model.set("chosen", name));
  return name;
}

function tell(view, frame, chosen) {
  const move = frame.moves.find(({ name }) => name === chosen);
  const lead = html("dt", {}, html("b", {}, view.name), ` ${frame.label}`, html("span", {}, move ? probability(move.probability) : "—"));
  const text = move ? move.sentence : `${chosen} is not among its ${frame.moves.length} likeliest moves.`;
  return [lead, html("dd", {}, text)];
}
