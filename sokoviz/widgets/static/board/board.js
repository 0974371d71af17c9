/**
 * The board part: shows the scene's picture, and tells the model what the reader does on it.
 * It knows squares and pieces, but no rules: what a step, a click or a drag does is the model's business.
 */
import { all, html, listen, setAttribute } from "../shared/dom.js";
import { CELL, cellName, drawPicture, naturalCellSize, newIdentity, pieceAt, updatePicture } from "../shared/draw.js";
import { readKey } from "./keys.js";
import { glide } from "../shared/motion.js";

const MARGIN = 20; // pixels, kept for the letters of rows and columns
const DRAG_THRESHOLD = 5; // pixels a pointer travels before a click is a drag
const STEP_OF = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };
const TOGGLES = ["component", "pushes", "dead_squares", "coordinates"];

/** Width in pixels at which a board is read with ease, its letters included. */
export function boardWidth(picture, cellSize) {
  return picture.width * (cellSize ?? naturalCellSize(picture.width, picture.height)) + MARGIN;
}

/** Mount the board; the model has `scene` and takes messages. */
export function mount(element, model) {
  return new BoardPart(element, model).cleanup;
}

class BoardPart {
  constructor(element, model) {
    this.model = model;
    this.identity = newIdentity();
    this.cells = [];
    this.scale = 1;
    this.drawnAt = 0;
    this.press = null; // the square a pointer went down on, and where
    this.cursor = null; // the square that Shift and the arrows look at
    this.build(element);
    this.update();
    const resizes = new ResizeObserver(() => this.resize());
    resizes.observe(this.box);
    this.cleanup = all(
      model.on("scene", () => this.update()),
      this.listenToKeys(),
      this.listenToPointer(),
      () => resizes.disconnect(),
      () => this.box.remove(),
    );
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  build(element) {
    this.svg = drawPicture(this.model.get("scene").picture, 1, this.identity);
    this.svg.removeAttribute("role");
    this.svg.setAttribute("aria-hidden", "true");
    this.grid = html("div", {
      class: "sokoviz-grid",
      role: "grid",
      tabindex: 0,
      "data-lm-suppress-shortcuts": "true",
    });
    this.box = html("div", { class: "sokoviz-board" }, this.svg, this.grid);
    element.append(this.box);
  }

  /** Show the model's scene. */
  update() {
    const scene = this.model.get("scene");
    const before = this.scene;
    this.scene = scene;
    this.waiting = false;
    if (before?.level !== scene.level) this.buildCells();
    if (before?.level !== scene.level || before.cell_size !== scene.cell_size) this.fit();
    this.draw();
    this.name(before);
    const now = performance.now();
    if (before && before.frame !== scene.frame) glide(this.svg, this.dropped ? [] : scene.ways, now - this.drawnAt);
    this.drawnAt = now;
    this.dropped = false;
  }

  draw() {
    updatePicture(this.svg, this.scene.picture, this.scale, this.identity, true);
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    if (this.press?.dragging) this.followPointer(this.press.last);
  }

  /** Give the box the width at which the board is read with ease; the page may narrow it. */
  fit() {
    const width = boardWidth(this.scene.picture, this.scene.cell_size);
    this.box.style.setProperty("--sokoviz-width", `${width}px`);
    this.resize();
  }

  /** Keep letters at their size and cells on their squares, whatever the width. */
  resize() {
    const { width, height } = this.scene.picture;
    const room = this.box.getBoundingClientRect().width - MARGIN; // clientWidth is rounded, and letters came out smaller
    if (room <= 0) return; // not laid out yet
    const scale = room / (width * CELL);
    this.grid.style.height = `${height * CELL * scale}px`;
    if (Math.abs(scale - this.scale) < 1e-4) return;
    this.scale = scale;
    this.draw();
  }

  // --- cells --------------------------------------------------------------------------------------------------------

  buildCells() {
    const { height, width } = this.scene.picture;
    this.cursor = null;
    this.cells = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (__, column) => this.buildCell(row, column)));
    this.grid.replaceChildren(...this.cells.map((cells) => html("div", { role: "row" }, ...cells)));
    setAttribute(this.grid, "aria-rowcount", height);
    setAttribute(this.grid, "aria-colcount", width);
  }

  buildCell(row, column) {
    const id = `${this.identity}-${row}-${column}`;
    const cell = html("div", { role: "gridcell", id, "aria-rowindex": row + 1, "aria-colindex": column + 1 });
    cell.square = [row, column];
    return cell;
  }

  /** Say what stands where, and where the attention is. */
  name(before) {
    const { picture, handles, selected } = this.scene;
    const handleKeys = new Set(handles.map(String));
    this.cells.forEach((cells, row) => cells.forEach((cell, column) => {
      const place = `row ${picture.row_names[row]}, column ${picture.column_names[column]}`;
      setAttribute(cell, "aria-label", `${place}: ${cellName(picture, row, column)}`);
      cell.classList.toggle("sokoviz-handle", handleKeys.has(`${row},${column}`));
      setAttribute(cell, "aria-selected", String(selected) === `${row},${column}`);
    }));
    setAttribute(this.grid, "aria-label", picture.label);
    if (before && String(before.focus) !== String(this.scene.focus)) this.cursor = null;
    this.showCursor();
  }

  showCursor() {
    const [row, column] = this.cursor ?? this.scene.focus;
    setAttribute(this.grid, "aria-activedescendant", this.cells[row][column].id);
    this.grid.querySelector(".sokoviz-cursor")?.classList.remove("sokoviz-cursor");
    if (this.cursor) this.cells[row][column].classList.add("sokoviz-cursor");
  }

  // --- keys ---------------------------------------------------------------------------------------------------------

  listenToKeys() {
    return listen(this.grid, "keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Tab") return; // the way out of the board
      event.preventDefault();
      const asked = readKey(event);
      if (asked) this.obey(asked, event.repeat);
    });
  }

  obey({ command, direction }, isRepeat) {
    if (command === "step") this.step(direction, isRepeat);
    else if (command === "look") this.look(direction);
    else if (command === "act") this.act();
    else if (command === "escape") this.escape();
    else if (TOGGLES.includes(command)) this.model.set(command, !this.model.get(command));
    else this.model.send({ kind: command });
  }

  /** A key held down asks again only after the answer, so that the player stops when the key is let go. */
  step(direction, isRepeat) {
    if (isRepeat && this.waiting) return;
    this.waiting = true;
    this.cursor = null;
    this.model.send({ kind: "step", direction });
  }

  /** Look at the next square, without moving anything. */
  look(direction) {
    const [row, column] = this.cursor ?? this.scene.focus;
    const [down, right] = STEP_OF[direction];
    if (this.cells[row + down]?.[column + right]) this.cursor = [row + down, column + right];
    this.showCursor();
  }

  /** Do by key what a click on the square does. */
  act() {
    const square = this.cursor ?? this.scene.focus;
    this.model.send({ kind: "press", square });
    this.model.send({ kind: "release", square });
  }

  escape() {
    this.cursor = null;
    this.showCursor();
    this.model.send({ kind: "drop" });
  }

  // --- pointer ------------------------------------------------------------------------------------------------------

  listenToPointer() {
    return all(
      listen(this.grid, "pointerdown", (event) => this.pointerDown(event)),
      listen(this.grid, "pointermove", (event) => this.pointerMove(event)),
      listen(this.grid, "pointerup", (event) => this.pointerUp(event)),
      listen(this.grid, "pointercancel", () => this.pointerCancel()),
    );
  }

  /** The square under a pointer; null off the board. */
  squareAt(event) {
    const box = this.grid.getBoundingClientRect();
    const { height, width } = this.scene.picture;
    const row = Math.floor(((event.clientY - box.top) / box.height) * height);
    const column = Math.floor(((event.clientX - box.left) / box.width) * width);
    return this.cells[row]?.[column] ? [row, column] : null;
  }

  pointerDown(event) {
    const square = this.squareAt(event);
    if (event.button !== 0 || !event.isPrimary || !square) return;
    event.preventDefault(); // no text is selected, no focus taken by what lies around
    this.grid.focus({ preventScroll: true });
    this.grid.setPointerCapture(event.pointerId);
    this.cursor = null;
    this.press = { square, x: event.clientX, y: event.clientY, dragging: false, last: event };
    this.model.send({ kind: "press", square });
  }

  pointerMove(event) {
    if (!this.press) return;
    const { square, x, y } = this.press;
    this.press.last = event;
    if (Math.hypot(event.clientX - x, event.clientY - y) > DRAG_THRESHOLD) this.press.moved = true;
    this.press.dragging = Boolean(this.press.moved) && String(this.scene.selected) === String(square);
    if (this.press.dragging) this.followPointer(event);
  }

  /** Carry the picked-up piece along; it lies where it is dropped once the model says so. */
  followPointer(event) {
    const box = this.grid.getBoundingClientRect();
    const unit = CELL / (box.height / this.scene.picture.height);
    const [x, y] = [(event.clientX - box.left) * unit - CELL / 2, (event.clientY - box.top) * unit - CELL / 2];
    const piece = pieceAt(this.svg, ...this.press.square);
    if (!piece) return;
    piece.parentNode.append(piece);
    piece.style.transform = `translate(${x}px, ${y}px)`;
    piece.style.opacity = "0.85";
    this.grid.classList.add("sokoviz-dragging");
  }

  pointerUp(event) {
    if (!this.press) return;
    const square = this.squareAt(event);
    this.dropped = this.press.dragging;
    this.endPress();
    this.model.send({ kind: "release", square });
  }

  pointerCancel() {
    if (!this.press) return;
    this.endPress();
    this.model.send({ kind: "drop" });
  }

  endPress() {
    this.press = null;
    this.grid.classList.remove("sokoviz-dragging");
  }
}
