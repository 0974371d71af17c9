/** The legal pushes as arrows on the board: those that a relevance cut drops are dashed. A click on one does the push. */
import { all, html, setAttribute, svg } from "../shared/dom.js";
import { CELL, drawPicture, newIdentity, updatePicture } from "../shared/draw.js";
import { follow } from "../shared/model.js";
import { play } from "./influence_cuts.js";

const MARGIN = 20; // pixels that the board keeps for letters

/** Mount the arrows on a board that is in the element already; the model has `scene` and `cuts`. */
export function mount(element, model, view) {
  const board = element.querySelector(".sokoviz-board");
  const identity = newIdentity();
  const drawing = drawPicture(blank(model.get("scene").picture, []), 1, identity);
  drawing.removeAttribute("role");
  const layer = html("div", { class: "sokoviz-arrows" }, drawing);
  board.append(layer);
  const update = () => draw(drawing, board, identity, model, view);
  update();
  const resizes = new ResizeObserver(update);
  resizes.observe(board);
  return all(follow(model, ["scene", "cuts"], update), follow(view, ["push"], update), () => resizes.disconnect(), () => layer.remove());
}

/** A board of the same size with nothing on it. */
function blank(picture, overlays) {
  return { ...picture, names: ["outside"], cells: picture.cells.map((row) => row.map(() => 0)), overlays, coordinates: false, caption: "", label: "" };
}

function draw(drawing, board, identity, model, view) {
  const { picture, selected } = model.get("scene");
  const pushes = selected ? [] : model.get("cuts").pushes ?? [];
  const role = (push, index) => (index === view.get("push") ? "now" : push.cut ? "dead" : "control");
  const overlays = pushes.map((push, index) => ({ kind: "arrow", role: role(push, index), squares: push.squares, label: "" }));
  const scale = Math.max((board.clientWidth - MARGIN) / (picture.width * CELL), 0.1);
  updatePicture(drawing, blank(picture, overlays), scale, identity, true);
  for (const side of ["width", "height"]) drawing.removeAttribute(side);
  drawing.querySelectorAll(".arrows > .arrow").forEach((arrow, index) => dress(arrow, pushes[index], index, model));
}

/** A wide place to click on, a tooltip, and dashes where the push is cut. */
function dress(arrow, push, index, model) {
  const line = arrow.querySelector(".line");
  arrow.append(svg("path", { class: "sokoviz-arrow-hit", d: line.getAttribute("d") }), svg("title", {}, `${push.name} ${push.cut ? "cut" : "kept"}: ${push.reason}`));
  arrow.classList.toggle("sokoviz-cut", push.cut);
  setAttribute(arrow, "data-push", push.name);
  arrow.addEventListener("click", () => play(model, index));
}
