/** A picture that fills its room, and tells the number on the square under the pointer. */
import { all, html, listen, setAttribute } from "../shared/dom.js";
import { CELL, drawPicture, frame, newIdentity, updatePicture } from "../shared/draw.js";
import { fit } from "../explorer/position.js";

/**
 * Make a sheet; whoever has put `element` into the page shows pictures on it.
 *
 * @returns {element, show(picture, label, tell), svg, cleanup}: `tell(row, column)` gives the text for a square, or null
 */
export function makeSheet(picture) {
  const identity = newIdentity();
  const svg = drawPicture(picture, 1, identity);
  const tip = html("div", { class: "sokoviz-tip", "aria-hidden": "true", hidden: true });
  const sheet = html("div", { class: "sokoviz-sheet" }, svg);
  const element = html("div", { class: "sokoviz-room sokoviz-heat-room" }, sheet, tip);
  const state = { picture, label: "", tell: () => null, scale: 1 };
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    state.scale = fit(state.picture, width, height);
    updatePicture(svg, state.picture, state.scale, identity);
    setAttribute(svg, "aria-label", state.label);
  };
  const show = (next, label = next.label, tell = () => null) => {
    Object.assign(state, { picture: next, label, tell });
    tip.hidden = true;
    draw();
  };
  const resizes = new ResizeObserver(draw);
  resizes.observe(element);
  const cleanup = all(
    listen(element, "pointermove", (event) => point(event, svg, tip, element, state)),
    listen(element, "pointerleave", () => { tip.hidden = true; }),
    () => resizes.disconnect(),
    () => element.remove(),
  );
  return { element, svg, show, cleanup };
}

/** Show the number on the square under the pointer. */
function point(event, svg, tip, element, { picture, tell, scale }) {
  const [left, top] = frame(picture, scale);
  const box = svg.getBoundingClientRect();
  const row = Math.floor(((event.clientY - box.top) / scale + top) / CELL);
  const column = Math.floor(((event.clientX - box.left) / scale + left) / CELL);
  const text = tell(row, column);
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const room = element.getBoundingClientRect();
  const [x, y] = [event.clientX - room.left, event.clientY - room.top];
  tip.style.left = `${Math.max(2, Math.min(x + 12, room.width - tip.offsetWidth - 2))}px`;
  tip.style.top = `${y > 44 ? y - 36 : y + 18}px`;
}

/** Looks squares up: index of each in a list of them. */
export function indexOfSquares(squares) {
  const known = new Map(squares.map(([row, column], index) => [`${row},${column}`, index]));
  return (row, column) => known.get(`${row},${column}`);
}

/** A square by its letters. */
export function squareName({ column_names: columns, row_names: rows }, [row, column]) {
  return `${columns[column]}${rows[row]}`;
}
