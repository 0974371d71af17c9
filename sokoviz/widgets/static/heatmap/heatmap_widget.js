/** What a learner knows of a position: a board to play, its heatmaps, its moves, their votes, episodes and curves. */
import { mount as mountBoard } from "../board/board.js";
import { moveButtons } from "../board/controls.js";
import { mount as mountReplay } from "../board/replay.js";
import { mountStatus } from "../board/status.js";
import { all, html, listen, setAttribute, setText, whenInPage } from "../shared/dom.js";
import { adapt, follow } from "../shared/model.js";
import { counted, grouped } from "../shared/numbers.js";
import { mount as mountTrouble } from "../shared/trouble.js";
import { mount as mountArrows } from "./heat_arrows.js";
import { mount as mountControls } from "./heat_controls.js";
import { mount as mountCurves } from "./heat_curves.js";
import { mount as mountEpisode } from "./heat_episode.js";
import { mount as mountHeader } from "./heat_header.js";
import { mount as mountHeat } from "./heat_map.js";
import { makeMoveTable } from "./heat_moves.js";
import { makeTabs } from "./heat_tabs.js";
import { mount as mountVotes } from "./heat_votes.js";

const PLACES = ["head", "board", "maps", "controls", "moves", "details", "trouble"];
const MARGIN = 20; // pixels that a board keeps for letters
const RING = 6; // and below it for the ring around what has the keys
const TABS = ["Votes", "Episode", "Learning curves"];

/** Mount the whole widget. */
export function mount(element, model) {
  const places = Object.fromEntries(PLACES.map((name) => [name, html("div", { class: `sokoviz-heat-${name}` })]));
  const parts = html("div", { class: "sokoviz-heat-parts" }, ...Object.values(places));
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-heatmap", tabindex: -1, "data-lm-suppress-shortcuts": "true" };
  const root = html("section", attributes, parts);
  const update = () => {
    root.setAttribute("aria-label", `Heatmaps of ${model.get("about").game}`);
    root.dataset.ends = model.get("ends");
  };
  update();
  element.append(root);
  const stopKeys = (event) => event.stopPropagation();
  // Whatever else is clicked, the keys are the board's.
  const toBoard = (event) => { if (event.target === root) root.querySelector(".sokoviz-grid")?.focus({ preventScroll: true }); };
  return all(
    follow(model, ["about", "ends"], update),
    listen(root, "keydown", stopKeys),
    listen(root, "keyup", stopKeys),
    listen(root, "focus", toBoard),
    whenInPage(root, () => mountParts(places, model)),
    () => root.remove(),
  );
}

/** Mount the parts; each finds its place in the page, so that it can measure its room and see the theme's colours. */
function mountParts(places, model) {
  const tabs = makeTabs("About the selected move and the learner", TABS);
  places.details.append(tabs.element);
  const open = (number) => {
    model.send({ kind: "episode", number });
    tabs.choose(1);
  };
  return all(
    mountHeader(places.head, model, ["heat", "stage", "n", "record"], () => describe(model)),
    mountPlay(places.board, model),
    ...["sources", "targets"].map((ends) => mountHeat(places.maps, model, ends)),
    mountControls(places.controls, model),
    mountMoves(places.moves, model),
    mountVotes(tabs.panels[0], model, open),
    mountEpisode(tabs.panels[1], model),
    mountCurves(tabs.panels[2], model),
    model.on("episode", () => tabs.choose(1)),
    mountTrouble(places.trouble, model),
  );
}

function describe(model) {
  const { n_votes: votes, n_episodes: asked, value } = model.get("heat");
  if (votes === undefined) return ["", "", model.get("record").text ?? ""];
  const left = value === null ? "" : ` · about ${value.toFixed(1)} moves to go`;
  const filtered = asked > votes ? `, ${grouped(asked - votes)} filtered` : "";
  return ["", counted(model.get("n"), "episode"), ` known, ${grouped(asked)} asked${filtered}${left}`, "Episodes known, those in the buffer that are asked, and how many moves their matching states were from the end"];
}

/** The board to play, as large as its place allows, with the likeliest moves on it. */
function mountPlay(element, model) {
  const room = html("div", { class: "sokoviz-heat-play" });
  const counts = html("span", { class: "sokoviz-counts" });
  element.append(html("div", { class: "sokoviz-heat-title" }, "Position", counts), room);
  const board = mountBoard(room, model);
  const buttons = moveButtons(model);
  const line = html("div", { class: "sokoviz-heat-line" }, buttons.element);
  const update = () => {
    setText(counts, model.get("scene").counts);
    setAttribute(counts, "title", model.get("scene").counts); // where there is little room, its end is cut off
  };
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
  return all(board, buttons.cleanup, mountArrows(room, model), mountStatus(element, model), mountReplay(element, model), follow(model, ["scene"], update), () => resizes.disconnect());
}

function mountMoves(element, model) {
  const table = makeMoveTable((move) => model.send({ kind: "choose", move }));
  const note = html("span", { class: "sokoviz-note" });
  const line = html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Legal moves"), note);
  const update = () => {
    const chances = model.get("chances");
    const { busy, text } = model.get("record");
    setText(note, busy ? text : chances.length ? `${grouped(chances.length)}, the likeliest first` : "none");
    table.show(chances, model.get("heat").n_votes ?? 0, model.get("move"));
  };
  element.append(line, table.element);
  update();
  return all(follow(model, ["chances", "heat", "move", "record"], update), table.cleanup, () => line.remove());
}

export default { render: ({ model, el }) => mount(el, adapt(model)) };
