/** The likeliest moves as arrows on the board, the likelier the stronger; a click on one selects its move. */
import { all, html, setAttribute, svg } from "../shared/dom.js";
import { CELL, drawPicture, newIdentity, updatePicture } from "../shared/draw.js";
import { follow } from "../shared/model.js";
import { probability } from "./heat_scale.js";

const MOST = 5;
const LEAST = 0.01; // probability of a move that gets an arrow
const MARGIN = 20; // pixels that the board keeps for letters

/** Mount the arrows on a board that is in the element already; the model has `scene`, `chances` and `move`. */
export function mount(element, model) {
  const board = element.querySelector(".sokoviz-board");
  const identity = newIdentity();
  const drawing = drawPicture(blank(model.get("scene").picture, []), 1, identity);
  drawing.removeAttribute("role");
  const layer = html("div", { class: "sokoviz-arrows" }, drawing);
  board.append(layer);
  const update = () => draw(drawing, board, identity, model);
  update();
  const resizes = new ResizeObserver(update);
  resizes.observe(board);
  return all(follow(model, ["scene", "chances", "move"], update), () => resizes.disconnect(), () => layer.remove());
}

/** A board of the same size with nothing on it. */
function blank(picture, overlays) {
  return { ...picture, names: ["outside"], cells: picture.cells.map((row) => row.map(() => 0)), overlays, caption: "", label: "" };
}

function draw(drawing, board, identity, model) {
  const { picture, selected } = model.get("scene");
  const chosen = selected ? [] : shownMoves(model.get("chances"), model.get("move"));
  const overlays = chosen.map((each) => ({ kind: "arrow", role: each.name === model.get("move") ? "now" : "context", squares: each.squares, label: "" }));
  const scale = Math.max((board.clientWidth - MARGIN) / (picture.width * CELL), 0.1);
  updatePicture(drawing, blank(picture, overlays), scale, identity, true);
  for (const side of ["width", "height"]) drawing.removeAttribute(side);
  drawing.querySelectorAll(".arrows > .arrow").forEach((arrow, index) => dress(arrow, chosen[index], model));
}

/** The likeliest moves, and the selected one on top of them; a move that can end on either side of the box counts once. */
function shownMoves(chances, move) {
  const known = new Map();
  for (const chance of chances) if (!known.has(chance.name)) known.set(chance.name, chance);
  const likely = [...known.values()].slice(0, MOST).filter((each) => each.probability >= LEAST);
  const selected = known.get(move);
  const others = likely.filter((each) => each !== selected).reverse(); // the likelier lie on top
  return selected ? [...others, selected] : others;
}

/** Strength, a wide place to click on, and a tooltip. */
function dress(arrow, chance, model) {
  const share = Math.sqrt(Math.min(Math.max(chance.probability, 0), 1));
  arrow.style.setProperty("--sokoviz-strength", (2 + 5 * share).toFixed(2));
  arrow.style.opacity = (0.45 + 0.55 * share).toFixed(2);
  const line = arrow.querySelector(".line");
  const hit = svg("path", { class: "sokoviz-arrow-hit", d: line.getAttribute("d") });
  arrow.append(hit, svg("title", {}, `${chance.name}: probability ${probability(chance.probability)}`));
  setAttribute(arrow, "data-move", chance.name);
  arrow.addEventListener("click", () => model.send({ kind: "choose", move: chance.name }));
}
