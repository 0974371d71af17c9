/** The field of influence around a square: point at a square to see its field, click two for the path between them. */
import { all, html, listen, setAttribute, setText, svg } from "../shared/dom.js";
import { CELL, drawPicture, frame, newIdentity, updatePicture } from "../shared/draw.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";
import { textWidth } from "../shared/text.js";
import { fit } from "../explorer/position.js";
import { fieldOverlay, isLight, readTable, said, select, tellPair, valueOf } from "./influence_data.js";

const SMALLEST_TEXT = 11; // pixels
const ROOM_FOR_NUMBERS = 17; // pixels that a square needs for two digits
const GAP = 1; // between a number and the edge of its square, where a square is CELL wide
const STEP_OF = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const HINT = "Point at a square for its field, click two for a path.";
const TRAITS = ["scene", "table", "source", "target", "direction", "threshold", "pair"];

/** Mount the field; the model has what TRAITS names, `view` tells what is pointed at in any part. */
export function mount(element, model, view) {
  return new FieldPart(element, model, view).cleanup;
}

class FieldPart {
  constructor(element, model, view) {
    Object.assign(this, { model, view, identity: newIdentity(), scale: 1 });
    this.svg = drawPicture(model.get("scene").picture, 1, this.identity);
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.removeAttribute("role");
    this.sheet = html("div", { class: "sokoviz-sheet" }, this.svg);
    this.room = html("div", { class: "sokoviz-room sokoviz-heat-room sokoviz-field", role: "application", tabindex: 0, "aria-roledescription": "map", "data-lm-suppress-shortcuts": "true" }, this.sheet);
    this.lines = [html("span"), html("span")];
    this.words = html("p", { class: "sokoviz-field-words", role: "status" }, ...this.lines);
    element.append(this.room, this.words);
    this.update();
    const resizes = new ResizeObserver(() => this.update());
    resizes.observe(this.room);
    this.cleanup = all(
      follow(model, TRAITS, () => this.update()),
      follow(view, ["square", "cell", "mark"], () => this.update()),
      listen(this.room, "pointermove", (event) => view.set("square", this.placeAt(event))),
      listen(this.room, "pointerleave", () => view.set("square", null)),
      listen(this.room, "blur", () => view.set("square", null)),
      listen(this.room, "click", (event) => this.click(event)),
      listen(this.room, "keydown", (event) => this.pressKey(event)),
      () => resizes.disconnect(),
      () => this.room.remove(),
      () => this.words.remove(),
    );
  }

  // --- what is pointed at and picked ----------------------------------------------------------------------------------

  get table() {
    return readTable(this.model);
  }

  /** Places of the selected squares, null where there is none. */
  picked() {
    return ["source", "target"].map((name) => this.table?.placeOfName(this.model.get(name)) ?? null);
  }

  /** The place under a pointer; null off the floor. */
  placeAt(event) {
    const [left, top] = frame(this.picture(), this.scale);
    const box = this.svg.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / this.scale + top) / CELL);
    const column = Math.floor(((event.clientX - box.left) / this.scale + left) / CELL);
    return this.table?.placeOf(row, column) ?? null;
  }

  click(event) {
    this.room.focus({ preventScroll: true });
    this.pick(this.placeAt(event));
  }

  /** A first square begins, a second ends the path, a third begins anew. */
  pick(place) {
    if (place === null || !this.table) return;
    const [source, target] = ["source", "target"].map((trait) => this.model.get(trait));
    if (!source || target) select(this.model, this.table.nameOf(place), "");
    else select(this.model, source, this.table.nameOf(place));
  }

  /** Arrows look at squares, Enter picks, Escape lets go. */
  pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.table) return;
    const [source] = this.picked();
    const here = this.view.get("square") ?? source ?? 0;
    if (event.key in STEP_OF) this.view.set("square", this.next(here, STEP_OF[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.pick(here);
    else if (event.key === "Escape") select(this.model, this.model.get("source"), "");
    else return;
    event.preventDefault();
  }

  /** The next floor square in a direction, over walls if need be; the same one where there is none. */
  next(place, [down, right]) {
    const { width, height } = this.model.get("scene").picture;
    let [row, column] = this.table.squares[place];
    for (;;) {
      [row, column] = [row + down, column + right];
      if (row < 0 || column < 0 || row >= height || column >= width) return place;
      const found = this.table.placeOf(row, column);
      if (found !== undefined) return found;
    }
  }

  // --- drawing --------------------------------------------------------------------------------------------------------

  /** The position with the field of a square; room for the colour bar is kept while there is none. */
  picture() {
    const picture = { ...this.model.get("scene").picture, coordinates: true, caption: "" };
    const { table } = this;
    const center = this.center();
    if (!table || center === null) return { ...picture, overlays: [{ kind: "heat", squares: [], colors: [], low: "", high: "", label: "" }] };
    return { ...picture, overlays: [fieldOverlay(table, this.model.get("direction"), center), ...this.path(), ...this.marks()] };
  }

  /** The place whose field is shown. */
  center() {
    return this.view.get("square") ?? this.picked()[0];
  }

  path() {
    const { path = [], source, target } = this.model.get("pair");
    const isOurs = source === this.model.get("source") && target === this.model.get("target");
    return isOurs && path.length > 1 && this.view.get("square") === null ? [{ kind: "path", role: "now", squares: path }] : [];
  }

  /** Rings around what is selected, and around what is pointed at here or elsewhere. */
  marks() {
    const ring = (role) => (place) => ({ kind: "mark", role, squares: [this.table.squares[place]], shape: "ring", text: "" });
    const picked = this.picked().filter((place) => place !== null);
    const elsewhere = [...(this.view.get("cell") ?? []), this.view.get("mark")];
    const pointed = [...new Set([...elsewhere, this.view.get("square")])].filter((place) => place !== null && place !== picked[0]);
    return [...picked.map(ring("now")), ...pointed.map(ring("control"))];
  }

  update() {
    const { clientWidth: width, clientHeight: height } = this.room;
    if (!width || !height) return;
    const picture = this.picture();
    this.scale = fit(picture, width, height);
    updatePicture(this.svg, picture, this.scale, this.identity);
    const center = this.center();
    if (this.table && center !== null) this.addNumbers(center);
    const words = [this.tellField(center), this.tellPair() || (this.table ? HINT : "")];
    words.forEach((text, index) => setText(this.lines[index], text));
    setAttribute(this.room, "aria-label", ["Field of influence.", ...words].join(" "));
  }

  /** The values, and a line around the squares within the threshold. */
  addNumbers(center) {
    const { table, scale, svg: drawing } = this;
    const direction = this.model.get("direction");
    const values = table.squares.map((_, place) => valueOf(table, direction, center, place));
    const near = new Set(table.squares.filter((_, place) => this.isNear(center, place)).map(String));
    const line = outline(table.squares, near);
    const contour = svg("g", { class: "sokoviz-contour" }, svg("path", { class: "halo", d: line }), svg("path", { class: "line", d: line }));
    drawing.querySelector(".pieces").before(contour);
    if (scale * CELL < ROOM_FOR_NUMBERS) return;
    const size = SMALLEST_TEXT / scale;
    const texts = table.squares.map(([row, column], place) => svg("text", {
      x: column * CELL + CELL / 2, y: row * CELL + CELL / 2 + 0.36 * size, "font-size": size,
      class: isLight(table, direction, values[place]) ? "sokoviz-on-light" : "sokoviz-on-dark",
      ...narrowed(said(direction, values[place]), size),
    }, said(direction, values[place])));
    (drawing.querySelector(".arrows") ?? drawing.querySelector(".pieces")).after(svg("g", { class: "sokoviz-numbers" }, ...texts));
  }

  /** Whether a place is within the threshold of another, in the direction that is shown. */
  isNear(center, place) {
    const [from, to] = this.model.get("direction") === "to" ? [place, center] : [center, place];
    return this.table.at(from, to) <= this.model.get("threshold");
  }

  /** Whose field is seen, and how many squares are near. */
  tellField(center) {
    const { table } = this;
    if (!table || center === null) return "";
    const near = table.squares.filter((_, place) => this.isNear(center, place)).length;
    const way = this.model.get("direction") === "to" ? "To" : "From";
    return `${way} ${table.nameOf(center)}: ${near} of ${counted(table.n, "square")} within ${this.model.get("threshold")} (outlined).`;
  }

  /** Both directions between the squares that are pointed at, or the selected one and that. */
  tellPair() {
    const [source] = this.picked();
    const [cell, square] = [this.view.get("cell"), this.view.get("square")];
    if (cell) return tellPair(this.table, ...cell);
    return square === null || source === null ? "" : tellPair(this.table, source, square);
  }
}

/** How a number that is wider than its square is written: as narrow as that. */
function narrowed(text, size) {
  const room = CELL - 2 * GAP;
  return textWidth(text, size, true) > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
}

/** The edge between squares that are in a set and those that are not. */
function outline(squares, inside) {
  const isIn = (row, column) => inside.has(`${row},${column}`);
  return squares.filter((square) => inside.has(String(square))).map(([row, column]) => {
    const [x, y] = [column * CELL, row * CELL];
    return [
      isIn(row - 1, column) ? "" : `M${x} ${y}h${CELL}`,
      isIn(row + 1, column) ? "" : `M${x} ${y + CELL}h${CELL}`,
      isIn(row, column - 1) ? "" : `M${x} ${y}v${CELL}`,
      isIn(row, column + 1) ? "" : `M${x + CELL} ${y}v${CELL}`,
    ].join("");
  }).join("");
}
