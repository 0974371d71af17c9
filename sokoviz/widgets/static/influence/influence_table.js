/** The whole table as a map to zoom into: rows influence columns. A cell under the pointer marks both squares. */
import { makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { followStyle } from "../shared/theme.js";
import { colorOf, isLight, readTable, said, select, tellPair, valueOf } from "./influence_data.js";

const MARGIN = 36; // pixels for names of squares, to the left and above
const LARGEST_CELL = 36; // pixels
const ROOM_FOR_NUMBERS = 18; // pixels that a cell needs for two digits
const ROOM_FOR_NAMES = 13; // pixels between names
const DRAG_THRESHOLD = 4; // pixels a pointer travels before a click is a drag
const ZOOM = 1.5;
const STEP_OF = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const HELP = "Each row is a square that influences, each column one that is influenced. Click a cell to select its pair; drag to move; the wheel zooms once the table has been clicked, or with Ctrl";

/** Mount the table; the model has `table`, `about`, `direction`, `source` and `target`. */
export function mount(element, model, view) {
  return new TablePart(element, model, view).cleanup;
}

class TablePart {
  constructor(element, model, view) {
    Object.assign(this, { model, view, cell: 0, left: 0, top: 0, press: null, image: null });
    this.canvas = html("canvas", { tabindex: 0, role: "application", "aria-roledescription": "table", "data-lm-suppress-shortcuts": "true" });
    this.tip = html("div", { class: "sokoviz-tip", "aria-hidden": "true", hidden: true });
    this.room = html("div", { class: "sokoviz-influence-canvas" }, this.canvas, this.tip);
    element.append(this.title(), this.room);
    this.look = followStyle(this.room, model, () => this.draw());
    const resizes = new ResizeObserver(() => this.draw());
    resizes.observe(this.room);
    this.paint();
    this.cleanup = all(
      follow(model, ["table", "about", "direction"], () => this.paint()),
      follow(model, ["source", "target"], () => this.draw()),
      follow(view, ["cell", "square"], () => this.draw()),
      this.listenToPointer(),
      listen(this.canvas, "keydown", (event) => this.pressKey(event)),
      listen(this.canvas, "blur", () => this.point(null)),
      this.look.cleanup,
      () => resizes.disconnect(),
      () => element.replaceChildren(),
    );
  }

  title() {
    const button = (name, what, sign, action) => makeButton(name, what, [sign], action);
    const buttons = html("span", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Zoom" },
      button("Zoom in", "Larger cells (+)", "+", () => this.zoom(ZOOM)),
      button("Zoom out", "Smaller cells (−)", "−", () => this.zoom(1 / ZOOM)),
      button("Whole table", "All of it (0)", "⤢", () => this.zoom(0)));
    return html("div", { class: "sokoviz-heat-title", title: HELP }, html("strong", {}, "Whole table"), html("span", { class: "sokoviz-note" }, "row → column"), buttons);
  }

  get table() {
    return readTable(this.model);
  }

  // --- where things are -----------------------------------------------------------------------------------------------

  /** Side of a cell at which the whole table is seen. */
  fitting() {
    const { clientWidth: width, clientHeight: height } = this.room;
    return Math.max(Math.min(width - MARGIN, height - MARGIN) / this.table.n, 0.1);
  }

  /** Keep the table in its room. */
  settle() {
    const { clientWidth: width, clientHeight: height } = this.room;
    const least = this.fitting();
    this.cell = Math.min(Math.max(this.cell, least), Math.max(LARGEST_CELL, least));
    const most = (length) => Math.max(this.table.n - (length - MARGIN) / this.cell, 0);
    this.left = Math.min(Math.max(this.left, 0), most(width));
    this.top = Math.min(Math.max(this.top, 0), most(height));
  }

  /** The point around which keys and buttons zoom: the selected cell, as far as it is in sight. */
  focus() {
    const { clientWidth: width, clientHeight: height } = this.room;
    const [row, column] = this.picked().map((place) => (place ?? this.table.n / 2) + 0.5);
    return [Math.min(Math.max(this.x(column), MARGIN), width), Math.min(Math.max(this.y(row), MARGIN), height)];
  }

  /** Zoom around a point of the canvas; a factor of 0 shows all. */
  zoom(factor, [x, y] = this.table ? this.focus() : []) {
    if (!this.table) return;
    const [column, row] = [this.left + (x - MARGIN) / this.cell, this.top + (y - MARGIN) / this.cell];
    this.cell *= factor;
    this.settle();
    this.left = column - (x - MARGIN) / this.cell;
    this.top = row - (y - MARGIN) / this.cell;
    this.draw();
  }

  /** Row and column under a pointer; null beside the table. */
  cellAt(event) {
    if (!this.table) return null;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - MARGIN, event.clientY - box.top - MARGIN];
    const [row, column] = [Math.floor(this.top + y / this.cell), Math.floor(this.left + x / this.cell)];
    const isIn = x >= 0 && y >= 0 && row < this.table.n && column < this.table.n;
    return isIn ? [row, column] : null;
  }

  // --- pointer and keys -----------------------------------------------------------------------------------------------

  listenToPointer() {
    return all(
      listen(this.canvas, "pointerdown", (event) => this.pointerDown(event)),
      listen(this.canvas, "pointermove", (event) => this.pointerMove(event)),
      listen(this.canvas, "pointerup", (event) => this.pointerUp(event)),
      listen(this.canvas, "pointerleave", () => this.point(null)),
      listen(this.canvas, "wheel", (event) => this.turnWheel(event), { passive: false }),
    );
  }

  pointerDown(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.press = { x: event.clientX, y: event.clientY, left: this.left, top: this.top, isDrag: false };
  }

  pointerMove(event) {
    const { press } = this;
    if (!press) return this.point(this.cellAt(event), event);
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    press.isDrag ||= Math.hypot(dx, dy) > DRAG_THRESHOLD;
    if (!press.isDrag) return undefined;
    this.left = press.left - dx / this.cell;
    this.top = press.top - dy / this.cell;
    return this.draw();
  }

  pointerUp(event) {
    const cell = this.cellAt(event);
    if (this.press && !this.press.isDrag && cell) select(this.model, ...cell.map(this.table.nameOf));
    this.press = null;
  }

  /** The wheel belongs to the notebook until the table has been clicked. */
  turnWheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return;
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? ZOOM ** 0.5 : ZOOM ** -0.5, [event.clientX - box.left, event.clientY - box.top]);
  }

  pressKey(event) {
    if (!this.table || event.altKey || event.metaKey || event.ctrlKey) return;
    const here = this.view.get("cell") ?? this.picked().map((place) => place ?? 0);
    if (event.key in STEP_OF) this.lookAt(here.map((place, axis) => Math.min(Math.max(place + STEP_OF[event.key][axis], 0), this.table.n - 1)));
    else if (event.key === "Enter" || event.key === " ") select(this.model, ...here.map(this.table.nameOf));
    else if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? ZOOM : 1 / ZOOM);
    else if (event.key === "0") this.zoom(0);
    else return;
    event.preventDefault();
  }

  /** Look at a cell by key, and bring it into sight. */
  lookAt([row, column]) {
    const { clientWidth: width, clientHeight: height } = this.room;
    const shift = (start, place, length) => Math.min(Math.max(start, place + 1 - (length - MARGIN) / this.cell), place);
    this.left = shift(this.left, column, width);
    this.top = shift(this.top, row, height);
    this.point([row, column]);
  }

  /** Mark a cell and tell what is in it. */
  point(cell, event = null) {
    if (String(cell) !== String(this.view.get("cell"))) this.view.set("cell", cell);
    this.tip.hidden = !cell || !event;
    if (this.tip.hidden) return;
    setText(this.tip, tellPair(this.table, ...cell));
    const box = this.room.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.tip.style.left = `${Math.max(2, Math.min(x + 12, box.width - this.tip.offsetWidth - 2))}px`;
    this.tip.style.top = `${y > 44 ? y - 36 : y + 18}px`;
  }

  // --- drawing --------------------------------------------------------------------------------------------------------

  picked() {
    return ["source", "target"].map((name) => this.table.placeOfName(this.model.get(name)));
  }

  /** Colours of all cells, one pixel each. */
  paint() {
    const { table } = this;
    if (!table) return;
    const direction = this.model.get("direction") === "asymmetry" ? "asymmetry" : "from";
    this.image = new OffscreenCanvas(table.n, table.n);
    const context = this.image.getContext("2d");
    for (let row = 0; row < table.n; row++) {
      for (let column = 0; column < table.n; column++) {
        context.fillStyle = colorOf(table, direction, valueOf(table, direction, row, column));
        context.fillRect(column, row, 1, 1);
      }
    }
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.room;
    if (!this.table || !this.image || !width || !height) return;
    this.settle();
    const ratio = globalThis.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.drawCells(context, width, height);
    this.drawNames(context, width, height);
    this.drawMarks(context);
    setAttribute(this.canvas, "aria-label", this.describe());
    setAttribute(this.canvas, "data-cell", this.cell.toFixed(2));
  }

  describe() {
    const cell = this.view.get("cell");
    return `Whole table of influence, ${this.table.n} squares. ${cell ? tellPair(this.table, ...cell) : ""} Arrow keys move, Enter selects the pair, plus and minus zoom.`;
  }

  /** Rows and columns that are in sight: [first, behind the last]. */
  seen(start, length) {
    return [Math.floor(start), Math.min(this.table.n, Math.ceil(start + (length - MARGIN) / this.cell))];
  }

  drawCells(context, width, height) {
    const [columns, rows] = [this.table.n - this.left, this.table.n - this.top].map((left, axis) => Math.min(left, ([width, height][axis] - MARGIN) / this.cell));
    context.imageSmoothingEnabled = false;
    context.drawImage(this.image, this.left, this.top, columns, rows, MARGIN, MARGIN, columns * this.cell, rows * this.cell);
    if (this.cell < ROOM_FOR_NUMBERS) return;
    const direction = this.model.get("direction") === "asymmetry" ? "asymmetry" : "from";
    const [firstRow, lastRow] = this.seen(this.top, height);
    const [firstColumn, lastColumn] = this.seen(this.left, width);
    context.save();
    context.beginPath();
    context.rect(MARGIN, MARGIN, width, height);
    context.clip();
    Object.assign(context, { font: `11px ${this.look.style.font}`, textAlign: "center", textBaseline: "middle" });
    for (let row = firstRow; row < lastRow; row++) {
      for (let column = firstColumn; column < lastColumn; column++) {
        const value = valueOf(this.table, direction, row, column);
        context.fillStyle = isLight(this.table, direction, value) ? "#000" : "#fff";
        context.fillText(said(direction, value), this.x(column + 0.5), this.y(row + 0.5));
      }
    }
    context.restore();
  }

  x(column) {
    return MARGIN + (column - this.left) * this.cell;
  }

  y(row) {
    return MARGIN + (row - this.top) * this.cell;
  }

  /** Names of squares along both sides: those of what is marked, and of others as far as there is room. */
  drawNames(context, width, height) {
    const [row, column] = this.view.get("cell") ?? this.picked();
    for (const place of this.named(this.top, height, row)) this.drawName(context, place, MARGIN - 5, this.y(place + 0.5), place === row);
    for (const place of this.named(this.left, width, column)) this.drawName(context, place, this.x(place + 0.5), MARGIN - 5, place === column, -Math.PI / 2);
  }

  /** Places along a side that are named: the marked one, and every second or tenth that does not touch it. */
  named(start, length, marked) {
    const step = Math.max(1, Math.ceil(ROOM_FOR_NAMES / this.cell));
    const [first, last] = this.seen(start, length);
    const places = Array.from({ length: last - first }, (_, index) => first + index).filter((place) => place + 0.5 >= start);
    return places.filter((place) => place === marked || (place % step === 0 && (marked === null || Math.abs(place - marked) >= step)));
  }

  drawName(context, place, x, y, isStrong, turn = 0) {
    const { colors, font } = this.look.style;
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    Object.assign(context, { font: `${isStrong ? "bold " : ""}11px ${font}`, fillStyle: isStrong ? colors.ink : colors["ink-soft"], textAlign: turn ? "left" : "right", textBaseline: "middle" });
    context.fillText(this.table.nameOf(place), 0, 0);
    context.restore();
  }

  /** The row and the column of what is selected, and of what is pointed at. */
  drawMarks(context) {
    const { colors } = this.look.style;
    const [source, target] = this.picked();
    const direction = this.model.get("direction");
    const cell = this.view.get("cell");
    const square = this.view.get("square");
    const rows = [direction !== "to" || target !== null ? source : null];
    const columns = [target ?? (direction === "from" ? null : source)];
    context.save();
    context.beginPath();
    context.rect(MARGIN, MARGIN, this.canvas.clientWidth, this.canvas.clientHeight);
    context.clip();
    this.drawBands(context, rows, columns, colors.now);
    if (cell) this.drawBands(context, [cell[0]], [cell[1]], colors.control);
    else if (square !== null) this.drawBands(context, direction === "to" ? [] : [square], direction === "from" ? [] : [square], colors.control);
    context.restore();
  }

  drawBands(context, rows, columns, color) {
    const length = this.table.n * this.cell;
    const thick = Math.max(this.cell, 3);
    const band = (x, y, width, height) => {
      Object.assign(context, { lineWidth: 4, strokeStyle: this.look.style.colors.paper });
      context.strokeRect(x, y, width, height);
      Object.assign(context, { lineWidth: 2, strokeStyle: color });
      context.strokeRect(x, y, width, height);
    };
    for (const row of rows) if (row !== null) band(this.x(0), this.y(row), length, thick);
    for (const column of columns) if (column !== null) band(this.x(column), this.y(0), thick, length);
  }
}
