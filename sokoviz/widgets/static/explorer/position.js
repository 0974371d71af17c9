/** The position of the selected node: its picture in a room of fixed size, and a button on every square that can be played. */
import { focusExplorer } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { CELL, cellName, drawPicture, frame, newIdentity, updatePicture } from "../shared/draw.js";
import { follow } from "../shared/model.js";
import { glide } from "../shared/motion.js";

const LARGEST_CELL = 64; // pixels
const LONGEST_GLIDE = 900; // milliseconds, at one step a second
const USUAL_TYPE = 13; // pixels; larger type enlarges the letters around the board too
const ROUNDS = 16; // a smaller scale needs more units for letters and captions, hence a few rounds

/** Mount the position; the model has `position`, and takes clicks on squares. */
export function mount(element, model) {
  return new PositionPart(element, model).cleanup;
}

class PositionPart {
  constructor(element, model) {
    this.model = model;
    this.identity = newIdentity();
    this.svg = drawPicture(model.get("position").picture, 1, this.identity);
    this.squares = html("div", { class: "sokoviz-squares" });
    this.sheet = html("div", { class: "sokoviz-sheet" }, this.svg, this.squares);
    this.room = html("div", { class: "sokoviz-room" }, this.sheet);
    this.caption = html("div", { class: "sokoviz-place-name" });
    this.box = html("div", { class: "sokoviz-position" }, this.room, this.caption);
    this.size = null; // of the room, when it was last seen
    element.append(this.box);
    this.measure();
    const resizes = new ResizeObserver(() => this.measure());
    resizes.observe(this.room);
    this.cleanup = all(
      follow(model, ["position"], () => this.show()),
      follow(model, ["large_type"], () => this.measure()),
      listen(this.squares, "click", (event) => this.click(event)),
      () => resizes.disconnect(),
      () => this.box.remove(),
    );
  }

  /** Note how much room there is, when that may have changed: to ask at each step would have the page laid out once more. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.room;
    if (width && height) this.size = [width, height];
    this.zoom = parseFloat(getComputedStyle(this.box).fontSize) / USUAL_TYPE;
    this.update();
  }

  /** A new position: its pieces glide to their places where Python says which way they took. */
  show() {
    this.update();
    if (this.size) glide(this.svg, this.model.get("position").ways ?? [], LONGEST_GLIDE / Math.max(this.model.get("speed"), 1));
  }

  update() {
    const { picture, caption, clickable } = this.model.get("position");
    setAttribute(this.svg, "aria-label", picture.label || caption);
    setText(this.caption, caption);
    setAttribute(this.caption, "title", caption);
    if (!this.size) return;
    const { zoom } = this;
    const scale = fit(picture, ...this.size.map((side) => side / zoom));
    updatePicture(this.svg, picture, scale, this.identity);
    for (const side of ["width", "height"]) this.svg.setAttribute(side, Number(this.svg.getAttribute(side)) * zoom);
    this.placeSquares(picture, clickable, scale, zoom);
  }

  /** A button on each square that can be clicked; a button that stays keeps the focus. */
  placeSquares(picture, clickable, scale, zoom) {
    const known = new Map([...this.squares.children].map((button) => [button.dataset.square, button]));
    const [left, top] = frame(picture, scale);
    const wanted = clickable.map(([row, column]) => {
      const key = `${row},${column}`;
      const button = known.get(key) ?? html("button", { type: "button", "data-square": key });
      const place = `row ${picture.row_names[row]}, column ${picture.column_names[column]}`;
      setAttribute(button, "aria-label", `${place}: ${cellName(picture, row, column)}`);
      const [x, y, side] = [column * CELL - left, row * CELL - top, CELL].map((units) => units * scale * zoom);
      Object.assign(button.style, { left: `${x}px`, top: `${y}px`, width: `${side}px`, height: `${side}px` });
      known.delete(key);
      return button;
    });
    for (const button of known.values()) button.remove();
    for (const button of wanted) if (!button.isConnected) this.squares.append(button);
  }

  click(event) {
    const button = event.target.closest("button");
    if (!button) return;
    this.model.send({ kind: "square", square: button.dataset.square.split(",").map(Number) });
    if (event.detail > 0) focusExplorer(this.box);
  }
}

/** The scale at which a picture with its letters, legends and caption fills the room. */
export function fit(picture, width, height) {
  let scale = LARGEST_CELL / CELL;
  for (let round = 0; round < ROUNDS; round++) {
    const [, , units, unitsDown] = frame(picture, scale);
    scale *= Math.min(1, width / (units * scale), height / (unitsDown * scale));
  }
  return scale;
}
