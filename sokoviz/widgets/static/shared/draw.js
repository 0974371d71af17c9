/**
 * Draws a picture, layer by layer, from the data that Python's `Picture.to_json` gives.
 * `sokoviz/svg.py` draws the same as a document; a browser test holds the two together.
 * Lengths are in units of 1/32 of a square.
 */
import { SYMBOLS } from "./symbols.js";

export const CELL = 32;
const SMALLEST_TEXT = 11; // pixels, like the sizes that follow
const LEGEND_HEIGHT = 34;
const CAPTION_SIZE = 12;
const LINE_HEIGHT = 16;
const LETTER_WIDTH = 6.4; // a little more than the average, so that no line runs over
const NAMESPACE = "http://www.w3.org/2000/svg";
const BASES = ["wall", "floor", "goal", "outside"];

/** Strokes within one square that tell a role without colour. */
const TEXTURE_OF = { dead: "m10 10l12 12m0-12l-12 12", deadlock: "m0 16l16-16m-16 32l32-32m-16 32l16-16" };

const SYMBOL_IDS = new Set([...SYMBOLS.matchAll(/<symbol id="([A-Za-z-]+)"/g)].map((match) => match[1]));

let drawings = 0;

/** An id that no other drawing on the page has. */
export function newIdentity() {
  drawings += 1;
  return `sokoviz-${drawings}-${Math.random().toString(36).slice(2, 8)}`;
}

/** Side of a square in pixels at which a board of so many squares is read with ease. */
export function naturalCellSize(width, height) {
  const fitting = Math.min(Math.floor(720 / Math.max(width, 1)), Math.floor(480 / Math.max(height, 1)));
  return Math.min(Math.max(fitting, 14), 36);
}

/** Left, top, width and height in units; `reserve` keeps room for letters that may come. */
export function frame(picture, scale, reserve = false) {
  const margin = picture.coordinates || reserve ? 20 / scale : 0;
  const below = (countLegends(picture) * LEGEND_HEIGHT) / scale + captionHeight(picture, scale);
  return [-margin, -margin, picture.width * CELL + margin, picture.height * CELL + margin + below];
}

/** An <svg> element that is the picture; its symbols are its own. */
export function drawPicture(picture, scale, identity = newIdentity()) {
  const svg = element("svg", { class: "sokoviz-picture", role: "img" });
  svg.append(definitions(identity));
  updatePicture(svg, picture, scale, identity);
  return svg;
}

/** Draw another picture into an <svg> made by `drawPicture`. */
export function updatePicture(svg, picture, scale, identity, reserve = false) {
  const [left, top, width, height] = frame(picture, scale, reserve);
  svg.setAttribute("viewBox", [left, top, width, height].map(number).join(" "));
  svg.setAttribute("width", number(width * scale));
  svg.setAttribute("height", number(height * scale));
  svg.replaceChildren(svg.querySelector("defs"), ...layers(picture, scale, identity));
}

/** All layers of a picture, the lowest first. */
function layers(picture, scale, identity) {
  const textSize = Math.max(12, SMALLEST_TEXT / scale);
  const arrows = { path: drawPath, arrow: (overlay) => drawArrow(overlay, textSize) };
  const content = {
    ground: ground(picture),
    fills: drawOverlays(picture, { fill: drawFill, heat: drawHeat }),
    lines: [element("path", { class: "grid", d: grid(picture) })],
    pieces: pieces(picture, identity),
    arrows: drawOverlays(picture, arrows),
    marks: drawOverlays(picture, { mark: (overlay) => drawMark(overlay, textSize) }),
    labels: coordinates(picture, scale),
    legends: legends(picture, scale),
    caption: caption(picture, scale),
  };
  return Object.entries(content)
    .filter(([, children]) => children.length)
    .map(([name, children]) => element("g", { class: name }, children));
}

// --- elements and numbers -------------------------------------------------------------------------------------------

/** An SVG element; text goes in as text, never as markup. */
function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A coordinate as short text, rounded to two places exactly as Python rounds it. */
function number(value) {
  return String(Math.floor(value * 100 + 0.5) / 100);
}

const points = (...values) => values.map(number).join(" ");

/** Piece and base of a cell name: ["box", "goal"] for "box on goal". */
export function splitName(name) {
  if (BASES.includes(name)) return ["", name];
  const at = name.indexOf(" on ");
  return at < 0 ? [name, "floor"] : [name.slice(0, at), name.slice(at + 4)];
}

/** Name of the cell on a square. */
export const cellName = (picture, row, column) => picture.names[picture.cells[row][column]];

function definitions(identity) {
  const defs = element("defs");
  defs.innerHTML = SYMBOLS.replaceAll('id="', `id="${identity}-`);
  return defs;
}

/** Id of the symbol for a cell name, empty where there is none. */
function symbolOf(name) {
  const [piece, base] = splitName(name);
  const wanted = piece ? [`${piece}-on-${base}`, piece] : [base];
  return wanted.find((symbol) => SYMBOL_IDS.has(symbol)) ?? "";
}

// --- ground ---------------------------------------------------------------------------------------------------------

/** Start and length of each run of indices below `n` for which `test` holds. */
function runs(n, test) {
  const found = [];
  let start = -1;
  for (let index = 0; index <= n; index++) {
    const holds = index < n && test(index);
    if (holds && start < 0) start = index;
    if (!holds && start >= 0) {
      found.push([start, index - start]);
      start = -1;
    }
  }
  return found;
}

/** Path around squares, merged along each row. */
function area(height, width, test) {
  let path = "";
  for (let row = 0; row < height; row++) {
    for (const [start, length] of runs(width, (column) => test(row, column))) {
      path += `M${start * CELL} ${row * CELL}h${length * CELL}v${CELL}h-${length * CELL}z`;
    }
  }
  return path;
}

const baseAt = (picture, row, column) => splitName(cellName(picture, row, column))[1];

/** Whether something can stand on a square. */
const isOpen = (picture, row, column) => !["wall", "outside"].includes(baseAt(picture, row, column));

/** Floor and walls. */
function ground(picture) {
  const { height, width } = picture;
  const floor = area(height, width, (row, column) => isOpen(picture, row, column));
  const wall = area(height, width, (row, column) => baseAt(picture, row, column) === "wall");
  const areas = [["floor", floor], ["wall", wall]];
  return areas.filter(([, path]) => path).map(([name, path]) => element("path", { class: name, d: path }));
}

/** Lines between open squares. */
function grid(picture) {
  const { height, width } = picture;
  let path = "";
  for (let row = 1; row < height; row++) {
    const both = (column) => isOpen(picture, row - 1, column) && isOpen(picture, row, column);
    for (const [start, length] of runs(width, both)) path += `M${start * CELL} ${row * CELL}h${length * CELL}`;
  }
  for (let column = 1; column < width; column++) {
    const both = (row) => isOpen(picture, row, column - 1) && isOpen(picture, row, column);
    for (const [start, length] of runs(height, both)) path += `M${column * CELL} ${start * CELL}v${length * CELL}`;
  }
  return path;
}

/** Goals and what stands on the squares. */
function pieces(picture, identity) {
  const found = [];
  picture.cells.forEach((cells, row) => {
    cells.forEach((index, column) => {
      const piece = drawPiece(picture.names[index], row, column, identity);
      if (piece) found.push(piece);
    });
  });
  return found;
}

/** What stands on one square: a symbol, or the name's first letter where no symbol is known. */
function drawPiece(name, row, column, identity) {
  const symbol = symbolOf(name);
  const piece = splitName(name)[0];
  const transform = `translate(${column * CELL} ${row * CELL})`;
  if (symbol) return element("use", { href: `#${identity}-${symbol}`, transform });
  if (!piece) return null;
  return element("text", { class: "letter", x: 16, y: 23, "font-size": 20, transform }, [[...piece][0]]);
}

/** The element that stands on a square, for moving it by hand; null where nothing does. */
export function pieceAt(svg, row, column) {
  return svg.querySelector(`.pieces > [transform="translate(${column * CELL} ${row * CELL})"]`);
}

// --- overlays -------------------------------------------------------------------------------------------------------

/** Overlays of some kinds, in their order. */
function drawOverlays(picture, drawerOf) {
  const wanted = picture.overlays.filter((overlay) => overlay.kind in drawerOf);
  return wanted.map((overlay) => drawerOf[overlay.kind](overlay)).filter(Boolean);
}

const group = (kind, overlay, children) => element("g", { class: `${kind} ${overlay.role}` }, children);

/** Squares tinted alike, with a texture where the role has one. */
function drawFill(overlay) {
  if (!overlay.squares.length) return null;
  const keys = new Set(overlay.squares.map(([row, column]) => `${row} ${column}`));
  const height = Math.max(...overlay.squares.map(([row]) => row)) + 1;
  const width = Math.max(...overlay.squares.map(([, column]) => column)) + 1;
  const path = area(height, width, (row, column) => keys.has(`${row} ${column}`));
  const children = [element("path", { class: "area", d: path })];
  const texture = TEXTURE_OF[overlay.role];
  if (texture) {
    const strokes = overlay.squares.map(([row, column]) => `M${column * CELL} ${row * CELL}${texture}`);
    children.push(element("path", { class: "texture", d: strokes.join("") }));
  }
  return group("fill", overlay, children);
}

/** Squares tinted by value. */
function drawHeat(overlay) {
  if (!overlay.squares.length) return null;
  const rectangle = ([row, column, fill]) =>
    element("rect", { x: column * CELL, y: row * CELL, width: CELL, height: CELL, fill });
  return element("g", { class: "heat" }, overlay.squares.map(rectangle));
}

/** Middle of a square. */
const center = ([row, column]) => [column * CELL + CELL / 2, row * CELL + CELL / 2];

/** An arrow head: where it points, and the unit vector along the arrow. */
function head([x, y], [dx, dy]) {
  const [backX, backY] = [x - 8 * dx, y - 8 * dy];
  const left = points(backX - 5 * dy, backY + 5 * dx);
  const right = points(backX + 5 * dy, backY - 5 * dx);
  return `M${points(x, y)}L${left}L${right}z`;
}

/** An arrow from the edge of what stands on its source to the middle of its target. */
function drawArrow(overlay, textSize) {
  let [[x1, y1], [x2, y2]] = overlay.squares.map(center);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!length) return null;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  [x1, y1, x2, y2] = [x1 + 13 * dx, y1 + 13 * dy, x2 - 4 * dx, y2 - 4 * dy];
  const children = stroke(`M${points(x1, y1)}L${points(x2 - 6 * dx, y2 - 6 * dy)}`, head([x2, y2], [dx, dy]));
  if (overlay.label) {
    const [x, y] = [(x1 + x2) / 2 - 9 * Math.abs(dy), (y1 + y2) / 2 - 7 * Math.abs(dx)];
    children.push(note(x, y, overlay.label, textSize));
  }
  return group("arrow", overlay, children);
}

/** A line with its head, and a halo under both. */
function stroke(line, tip) {
  const parts = [["halo", line + tip], ["line", line], ["head", tip]];
  return parts.map(([name, path]) => element("path", { class: name, d: path }));
}

/** A line through squares, a dot at its start and a head at its end. */
function drawPath(overlay) {
  const places = overlay.squares.map(center);
  if (places.length < 2) return null;
  const [[x1, y1], [x2, y2]] = places.slice(-2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const bends = [...places.slice(0, -1), [x2 - 4 * dx, y2 - 4 * dy]];
  const line = `M${bends.map((place) => points(...place)).join("L")}`;
  const start = element("circle", { class: "start", cx: number(places[0][0]), cy: number(places[0][1]), r: 4 });
  return group("path", overlay, [...stroke(line, head([x2 + 3 * dx, y2 + 3 * dy], [dx, dy])), start]);
}

/** A sign on a square, and its text. */
function drawMark(overlay, textSize) {
  const [x, y] = center(overlay.squares[0]);
  const cross = `M${points(x - 9, y - 9)}L${points(x + 9, y + 9)}M${points(x + 9, y - 9)}L${points(x - 9, y + 9)}`;
  const around = { x: number(x - 14), y: number(y - 14), width: 28, height: 28, rx: 7 };
  const twice = (name, attributes) => ["under", overlay.shape].map((part) => element(name, { class: part, ...attributes }));
  const children = {
    ring: () => twice("rect", around),
    cross: () => twice("path", { d: cross }),
    dot: () => [element("circle", { class: "dot", cx: number(x), cy: number(y), r: 4.5 })],
  }[overlay.shape]();
  if (overlay.text) children.push(note(x, y + textSize * 0.36, overlay.text, textSize));
  return group("mark", overlay, children);
}

/** A short text in the colour of its overlay. */
function note(x, y, text, size) {
  return element("text", { class: "note", x: number(x), y: number(y), "font-size": number(size) }, [text]);
}

// --- around the board -----------------------------------------------------------------------------------------------

/** Letters of columns and rows; every second or third where they would touch. */
function coordinates(picture, scale) {
  if (!picture.coordinates) return [];
  const size = SMALLEST_TEXT / scale;
  const step = Math.max(1, Math.ceil(18 / (CELL * scale)));
  const columns = picture.column_names.map((name, column) => [column * CELL + CELL / 2, -8 / scale, name]);
  const rows = picture.row_names.map((name, row) => [-12 / scale, row * CELL + CELL / 2 + 0.36 * size, name]);
  const shown = [columns, rows].flatMap((names) => names.filter((_, index) => index % step === 0));
  return shown.map(([x, y, name]) =>
    element("text", { class: "coordinate", x: number(x), y: number(y), "font-size": number(size) }, [name]),
  );
}

/** A colour bar under the board for each heat overlay. */
function legends(picture, scale) {
  const heats = picture.overlays.filter((overlay) => overlay.kind === "heat");
  return heats.flatMap((heat, index) => legend(heat, picture, scale, index));
}

/** One colour bar with its ends and its meaning. */
function legend(heat, picture, scale, index) {
  const unit = 1 / scale;
  const width = picture.width * CELL;
  const top = picture.height * CELL + (8 + LEGEND_HEIGHT * index) * unit;
  const step = width / heat.colors.length;
  const size = { y: number(top), width: number(step + unit / 2), height: number(7 * unit) };
  const bar = heat.colors.map((fill, place) => element("rect", { x: number(place * step), ...size, fill }));
  const place = { y: number(top + 21 * unit), "font-size": number(SMALLEST_TEXT * unit) };
  const texts = [["first", 0, heat.low], ["middle", width / 2, heat.label], ["last", width, heat.high]]
    .filter(([, , text]) => text)
    .map(([name, x, text]) => element("text", { class: name, x: number(x), ...place }, [text]));
  return [element("g", { class: "legend" }, [...bar, ...texts])];
}

const countLegends = (picture) => picture.overlays.filter((overlay) => overlay.kind === "heat").length;

/** The caption, broken into lines as wide as the board. */
function captionLines(picture, scale) {
  const letters = Math.max(12, Math.floor((picture.width * CELL * scale) / LETTER_WIDTH));
  const lines = [];
  for (const word of picture.caption.split(/\s+/).filter(Boolean)) {
    if (lines.length && lines.at(-1).length + 1 + word.length <= letters) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Units that the caption needs below the board. */
function captionHeight(picture, scale) {
  const lines = captionLines(picture, scale).length;
  return lines ? (lines * LINE_HEIGHT + 8) / scale : 0;
}

/** A sentence under the board. */
function caption(picture, scale) {
  const top = picture.height * CELL + (countLegends(picture) * LEGEND_HEIGHT + 4) / scale;
  const size = number(CAPTION_SIZE / scale);
  return captionLines(picture, scale).map((line, index) =>
    element("text", { x: 0, y: number(top + ((index + 1) * LINE_HEIGHT) / scale), "font-size": size }, [line]),
  );
}
