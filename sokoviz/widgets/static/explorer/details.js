/** What there is to know of a node beside its children: successors that became none, and what a subtree move changed. */
import { focusExplorer, makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";

/** Views, in the order of the tabs. */
const VIEWS = [
  ["children", "Children", "The children of the selected node with the terms of their scores"],
  ["left_out", "Left out", "Successors of the node that became no children, and why"],
  ["moves", "Subtree moves", "What a subtree move changed about both chains of ancestors"],
];
const COLUMNS = [["action", "push"], ["why", "why it is no child"], ["squares", "squares"], ["more", "because"]];
const NUMBERS = [["visits", "visits"], ["total", "sum"], ["value", "value"]];

/** Mount tabs and both tables; the model has `details`. The style sheet hides what is not chosen. */
export function mount(element, model) {
  return new DetailsPart(element, model).cleanup;
}

class DetailsPart {
  constructor(element, model) {
    Object.assign(this, { element, model });
    this.wanted = "children"; // what the reader chose last
    this.moment = null; // where that or Python's suggestion was shown
    this.build();
    this.update();
    this.cleanup = all(
      follow(model, ["details"], () => this.update()),
      listen(this.leftOut, "click", (event) => this.click(event)),
      listen(this.leftOut, "keydown", (event) => this.pressKey(event)),
      () => this.place(false),
      () => delete element.dataset.view,
    );
  }

  build() {
    this.buttons = VIEWS.map(([view, name, what]) => {
      const n = html("span", { class: "sokoviz-tab-count" });
      const button = makeButton(name, what, [name, n], () => this.choose(view));
      return { view, n, button };
    });
    this.tabs = html("div", { class: "sokoviz-tabs", role: "group", "aria-label": "About the node" }, ...this.buttons.map((each) => each.button));
    this.title = html("strong");
    this.rows = html("tbody");
    const headings = COLUMNS.map(([key, name]) => html("th", { scope: "col", class: `sokoviz-column-${key}` }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...headings)), this.rows);
    this.leftOut = html("div", { class: "sokoviz-left-out" }, this.title, html("div", { class: "sokoviz-table" }, table));
    this.moves = html("div", { class: "sokoviz-moves" });
    this.isThere = false;
  }

  /** A game of which there is nothing more to tell has the children alone. */
  place(isWanted) {
    if (isWanted === this.isThere) return;
    this.isThere = isWanted;
    const parts = [this.tabs, this.leftOut, this.moves];
    if (isWanted) this.element.prepend(...parts);
    else for (const part of parts) part.remove();
  }

  // --- what the reader does -----------------------------------------------------------------------------------------

  choose(view) {
    this.wanted = view;
    this.show(view);
  }

  select(target) {
    const row = target.closest("tr[data-action]");
    if (row) this.model.send({ kind: "successor", action: row.dataset.action });
  }

  click(event) {
    this.select(event.target);
    if (event.detail > 0) focusExplorer(this.leftOut);
  }

  pressKey(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.select(event.target);
  }

  // --- showing ------------------------------------------------------------------------------------------------------

  update() {
    const { moment, left_out: leftOut, moves, suggested } = this.model.get("details");
    this.place(leftOut !== null);
    const counts = { left_out: leftOut?.rows.length ?? 0, moves: moves?.length ?? 0 };
    for (const { view, n, button } of this.buttons) {
      setText(n, counts[view] ? ` ${counts[view]}` : "");
      setAttribute(button, "aria-disabled", counts[view] === 0);
    }
    if (leftOut !== null) this.showLeftOut(leftOut);
    this.showMoves(moves ?? []);
    this.follow(moment, leftOut === null ? "children" : suggested, counts);
  }

  /** Python's suggestion is taken at each new moment; else what the reader chose, where there is any of it. */
  follow(moment, suggested, counts) {
    const view = moment === this.moment ? this.element.dataset.view : suggested === "moves" ? "moves" : this.wanted;
    this.moment = moment;
    this.show(counts[view] === 0 ? "children" : view);
  }

  show(view) {
    this.element.dataset.view = view;
    for (const each of this.buttons) setAttribute(each.button, "aria-pressed", each.view === view);
  }

  /** A row each, to be chosen: then the board shows the position. Rows are built anew only where they changed. */
  showLeftOut({ title, rows, chosen }) {
    setText(this.title, title);
    const key = JSON.stringify(rows);
    if (key !== this.drawn) this.rows.replaceChildren(...rows.map(successorRow));
    this.drawn = key;
    for (const row of this.rows.children) {
      row.classList.toggle("sokoviz-marked", row.dataset.action === chosen);
      setAttribute(row, "aria-current", row.dataset.action === chosen);
    }
  }

  showMoves(moves) {
    const key = JSON.stringify(moves);
    if (key !== this.drawnMoves) this.moves.replaceChildren(...moves.map(moveSection));
    this.drawnMoves = key;
  }
}

function successorRow(successor) {
  const cells = COLUMNS.map(([key]) => html("td", { class: `sokoviz-column-${key}`, title: successor[key] }, successor[key]));
  const role = successor.dead ? "sokoviz-dead-row" : false;
  return html("tr", { tabindex: 0, class: role, "data-action": successor.action, title: "Show this position" }, ...cells);
}

/** One move: what moved, and a table for the chain that it left and for the one that it joined. */
function moveSection({ title, note, chains }) {
  const heads = { left: ["sokoviz-role-dead", "Ancestors that it left"], joined: ["sokoviz-role-new", "Ancestors that it joined"] };
  const tables = chains.map(({ name, rows }) => html("div", {}, html("strong", { class: heads[name][0] }, heads[name][1]), chainTable(rows)));
  const head = html("div", { class: "sokoviz-move-title" }, html("strong", {}, title), " · ", note);
  return html("section", {}, head, html("div", { class: "sokoviz-chains" }, ...tables));
}

function chainTable(rows) {
  const headings = ["node", ...NUMBERS.map(([, name]) => name), ""].map((name) => html("th", { scope: "col" }, name));
  const body = rows.map((row) => html("tr", {}, html("td", {}, String(row.node)), ...NUMBERS.map(([key]) => changeCell(row[key])), html("td", { class: "sokoviz-state" }, row.state)));
  return html("table", {}, html("thead", {}, html("tr", {}, ...headings)), html("tbody", {}, ...body));
}

/** "5 → 2", or the number alone where it stays. */
function changeCell([before, after]) {
  if (before === after) return html("td", { class: "sokoviz-unchanged" }, before);
  return html("td", {}, `${before} → `, html("b", {}, after));
}
