/** The legal moves with their probabilities and votes; a click on one selects it. */
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { counted, grouped } from "../shared/numbers.js";
import { probability } from "./heat_scale.js";

const HEADINGS = ["move", "probability", "", "votes"];

/**
 * Make the table.
 *
 * @param choose called with the name of a move that is clicked
 * @returns {element, show(rows, votes, move), cleanup}: rows as Python gives them, of so many votes, and the selected name
 */
export function makeMoveTable(choose) {
  const body = html("tbody");
  const head = html("tr", {}, ...HEADINGS.map((text, index) => html("th", { scope: "col", class: `sokoviz-move-${index}` }, text)));
  const total = head.lastChild;
  const table = html("table", { class: "sokoviz-move-table", "aria-label": "Legal moves" }, html("thead", {}, head), body);
  const scroller = html("div", { class: "sokoviz-table" }, table);
  let shown = null;
  const show = (rows, votes, move) => {
    setText(total, `votes of ${grouped(votes)}`);
    const highest = Math.max(...rows.map((row) => row.probability), 1e-9);
    while (body.rows.length > rows.length) body.lastChild.remove();
    rows.forEach((row, index) => writeRow(body.rows[index] ?? addRow(body), row, highest, row.name === move));
    if (move !== shown) reveal(scroller, body.querySelector(".sokoviz-marked"));
    shown = move;
  };
  const cleanup = all(
    listen(body, "click", (event) => pick(event.target, choose)),
    listen(body, "keydown", (event) => pressKey(event, choose)),
    () => scroller.remove(),
  );
  return { element: scroller, show, cleanup };
}

/** Scroll the list, and nothing around it, to a row that is out of sight. */
function reveal(scroller, row) {
  if (!row) return;
  const [list, place] = [scroller.getBoundingClientRect(), row.getBoundingClientRect()];
  const head = place.height * 1.2;
  if (place.bottom > list.bottom) scroller.scrollTop += place.bottom - list.bottom + head;
  else if (place.top < list.top + head) scroller.scrollTop -= list.top + head - place.top;
}

function addRow(body) {
  const cells = HEADINGS.map((_, index) => html("td", { class: `sokoviz-move-${index}` }));
  cells[0].append(html("span"), html("small"));
  cells[2].append(html("i", { class: "sokoviz-move-bar" }));
  const made = html("tr", { tabindex: 0 }, ...cells);
  body.append(made);
  return made;
}

function writeRow(element, row, highest, isSelected) {
  const [name, chance, bar, votes] = element.cells;
  setText(name.firstChild, row.name);
  setText(name.lastChild, row.winning ? "★ wins" : row.side);
  setText(chance, probability(row.probability));
  bar.firstChild.style.width = `${((100 * row.probability) / highest).toFixed(1)}%`;
  setText(votes, grouped(row.votes));
  element.dataset.move = row.name;
  element.classList.toggle("sokoviz-marked", isSelected);
  element.classList.toggle("sokoviz-wins", row.winning);
  setAttribute(element, "aria-selected", isSelected);
  const extra = row.winning ? ", wins" : row.side ? `, ${row.side}` : "";
  setAttribute(element, "aria-label", `${row.name}: probability ${probability(row.probability)}, ${counted(row.votes, "vote")}${extra}`);
}

function pick(target, choose) {
  const row = target.closest("tr");
  if (row) choose(row.dataset.move);
}

/** Enter and Space select, arrows go from row to row. */
function pressKey(event, choose) {
  const row = event.target.closest("tr");
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (event.key === "Enter" || event.key === " ") pick(event.target, choose);
  else if (next) next.focus();
  else return;
  event.preventDefault();
}
