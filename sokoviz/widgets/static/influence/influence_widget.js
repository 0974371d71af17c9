/** Influence: a board to play with relevance cuts, fields and paths of influence, their breakdown and the whole table. */
import { mount as mountBoard } from "../board/board.js";
import { moveButtons } from "../board/controls.js";
import { mount as mountReplay } from "../board/replay.js";
import { mountStatus } from "../board/status.js";
import { mount as mountHeader } from "../heatmap/heat_header.js";
import { all, html, listen, setText, whenInPage } from "../shared/dom.js";
import { makeMemoryModel } from "../shared/memory.js";
import { adapt, follow } from "../shared/model.js";
import { mount as mountTrouble } from "../shared/trouble.js";
import { mount as mountArrows } from "./influence_arrows.js";
import { mount as mountBreakdown } from "./influence_breakdown.js";
import { mount as mountControls, mountDirections, ownerOf } from "./influence_controls.js";
import { mount as mountCuts } from "./influence_cuts.js";
import { mount as mountField } from "./influence_field.js";
import { mount as mountTable } from "./influence_table.js";

const PLACES = ["head", "board", "field", "table", "controls", "cuts", "pair", "trouble"];
const MARGIN = 20; // pixels that a board keeps for letters
const RING = 6; // and below it for the ring around what has the keys

/** Mount the whole widget. */
export function mount(element, model) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-influence-${name}` })]));
  const parts = html("div", { class: "sokoviz-influence-parts" }, ...Object.values(places));
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-heatmap sokoviz-influence", tabindex: -1, "data-lm-suppress-shortcuts": "true" };
  const root = html("section", attributes, parts);
  const update = () => root.setAttribute("aria-label", `Influence on ${model.get("about").game}`);
  update();
  element.append(root);
  const stopKeys = (event) => event.stopPropagation();
  return all(
    follow(model, ["about"], update),
    listen(root, "keydown", stopKeys),
    listen(root, "keyup", stopKeys),
    whenInPage(root, () => mountParts(places, model)),
    () => root.remove(),
  );
}

/** Mount the parts. What is pointed at is nobody's business but theirs: it stays in the browser. */
function mountParts(places, model) {
  const view = makeMemoryModel({ square: null, cell: null, mark: null, push: null });
  const title = html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Field of influence"));
  const figure = html("figure", { class: "sokoviz-heat" }, title);
  places.field.append(figure);
  return all(
    mountHeader(places.head, model, ["record", "about", "threshold", "m"], () => describe(model)),
    mountPlay(places.board, model, view),
    mountDirections(title, model),
    mountField(figure, model, view),
    mountTable(places.table, model, view),
    mountControls(places.controls, model),
    mountCuts(places.cuts, model, view),
    mountBreakdown(places.pair, model, view),
    mountTrouble(places.trouble, model),
    () => figure.remove(),
  );
}

function describe(model) {
  const { squares, threshold, m } = model.get("about");
  if (model.get("record").busy) return ["", "", model.get("record").text];
  return ["", `${squares.length} squares`, ` · the ${ownerOf(model)}’s threshold ${threshold} and m ${m}`, "Threshold and m as they are computed from this level (Junghanns and Schaeffer, section 3.2)"];
}

/** How far a level is solved; the player's moves do not matter here, and take room. */
function withoutMoves(counts) {
  return counts.split(" · ").slice(1).join(" · ");
}

/** The board to play, as large as its place allows, with the legal pushes on it. */
function mountPlay(element, model, view) {
  const room = html("div", { class: "sokoviz-heat-play" });
  const counts = html("span", { class: "sokoviz-counts" });
  element.append(html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Position"), counts), room);
  const board = mountBoard(room, model);
  const buttons = moveButtons(model);
  const line = html("div", { class: "sokoviz-heat-line" }, buttons.element);
  const update = () => setText(counts, withoutMoves(model.get("scene").counts));
  const arrange = () => {
    const { width, height } = model.get("scene").picture;
    const fitting = ((room.clientHeight - MARGIN - RING) * width) / height + MARGIN;
    room.style.setProperty("--sokoviz-fitting", `${Math.max(fitting, 120)}px`);
  };
  update();
  arrange();
  const resizes = new ResizeObserver(arrange);
  resizes.observe(room);
  element.append(line);
  return all(board, buttons.cleanup, mountArrows(room, model, view), mountStatus(element, model), mountReplay(element, model), follow(model, ["scene"], update), () => resizes.disconnect(), () => element.replaceChildren());
}

export default { render: ({ model, el }) => mount(el, adapt(model)) };
