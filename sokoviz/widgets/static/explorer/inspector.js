/** The inspector: the children of the selected node with the terms of their scores, and what another constant would change. */
import { focusExplorer, giveKeysBack, makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText, showShare } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { afterPaint } from "../shared/motion.js";
import { barRange, describeLeaders, formatConstant, formatNumber, leaders, scoreRows, sortRows } from "./scores.js";

/** Columns: the entry of a row, heading, and how it is written. */
const COLUMNS = [
  { key: "node", heading: "child", write: String },
  { key: "action", heading: "move", write: String },
  { key: "visits", heading: "visits", write: String },
  { key: "value", heading: "value", write: formatNumber },
  { key: "exploitation", heading: "exploitation", write: formatNumber },
  { key: "exploration", heading: "exploration", write: formatNumber },
  { key: "score", heading: "score", write: formatNumber },
];
const ASCENDING_FIRST = ["node", "action"];

/** Mount the inspector; the model has `children` and `about`. */
export function mount(element, model) {
  return new InspectorPart(element, model).cleanup;
}

class InspectorPart {
  constructor(element, model) {
    this.model = model;
    this.constant = null; // chosen by the reader; null while it is the search's own
    this.sorting = null; // {key, isDescending}; null for the order that Python gives
    this.rows = [];
    this.build(element);
    this.update();
    this.cleanup = all(
      follow(model, ["children", "about"], () => this.update()),
      listen(this.slider, "input", () => this.choose(Number(this.slider.value))),
      giveKeysBack(this.slider),
      listen(this.body, "click", (event) => this.click(event)),
      listen(this.body, "keydown", (event) => this.pressKey(event)),
      () => this.box.remove(),
    );
  }

  // --- building -----------------------------------------------------------------------------------------------------

  build(element) {
    this.title = html("strong");
    this.note = html("span", { class: "sokoviz-note" });
    this.formula = html("span", { class: "sokoviz-formula" });
    this.verdict = html("span", { class: "sokoviz-verdict", "aria-live": "polite" });
    this.body = html("tbody");
    const head = html("thead", {}, html("tr", {}, ...this.buildHeadings()));
    this.table = html("table", {}, head, this.body);
    this.scroller = html("div", { class: "sokoviz-table" }, this.table);
    const first = html("div", { class: "sokoviz-inspector-line" }, this.title, this.note, this.verdict);
    const second = html("div", { class: "sokoviz-inspector-line" }, this.formula, this.buildChooser());
    this.box = html("div", { class: "sokoviz-inspector" }, first, second, this.scroller);
    element.append(this.box);
  }

  buildChooser() {
    this.slider = html("input", { type: "range", min: 0, step: 0.1, "aria-label": "Exploration constant", title: "What if c were different? The search is not touched." });
    this.number = html("span", { class: "sokoviz-constant" });
    this.reset = makeButton("Reset exploration constant", "Back to the search's own c", ["reset"], () => this.choose(null));
    const words = html("span", { class: "sokoviz-caption-before", "aria-hidden": "true" }, "what if c =");
    return html("span", { class: "sokoviz-chooser" }, words, this.number, this.slider, this.reset);
  }

  buildHeadings() {
    this.headings = COLUMNS.map(({ key, heading }) => {
      const button = html("button", { type: "button", title: `Sort by ${heading}` }, heading);
      button.addEventListener("click", () => this.sortBy(key));
      return html("th", { scope: "col", class: `sokoviz-column-${key}`, "aria-sort": "none" }, button);
    });
    const term = (name) => [html("i", { class: `sokoviz-bar-${name}`, "aria-hidden": "true" }), `${name} `];
    const bars = html("th", { scope: "col", class: "sokoviz-column-bars" }, ...term("exploitation"), ...term("exploration"));
    return [...this.headings, bars];
  }

  buildRow() {
    const cells = COLUMNS.map(({ key }) => html("td", { class: `sokoviz-column-${key}` }));
    const [zero, exploration, exploitation] = ["zero", "exploration", "exploitation"].map((name) => html("i", { class: `sokoviz-bar-${name}` }));
    const bars = html("div", { class: "sokoviz-bars", "aria-hidden": "true" }, zero, exploration, exploitation);
    const row = html("tr", { tabindex: 0 }, ...cells, html("td", { class: "sokoviz-column-bars" }, bars));
    return { row, cells, zero, exploration, exploitation };
  }

  // --- what the reader does -----------------------------------------------------------------------------------------

  choose(constant) {
    this.constant = constant;
    this.update();
  }

  /** First click: numbers from the highest, names from the first; second click the other way; third as it was. */
  sortBy(key) {
    const first = !ASCENDING_FIRST.includes(key);
    if (this.sorting?.key !== key) this.sorting = { key, isDescending: first };
    else this.sorting = this.sorting.isDescending === first ? { key, isDescending: !first } : null;
    this.update();
  }

  select(target) {
    const row = target.closest("tr");
    if (row?.dataset.node) this.model.send({ kind: "select", node: Number(row.dataset.node) });
  }

  /** After a click with a pointer the keys go to the explorer again. */
  click(event) {
    this.select(event.target);
    if (event.detail > 0) focusExplorer(this.box);
  }

  /** Enter and Space select a row, Up and Down go from row to row. */
  pressKey(event) {
    const isPress = event.key === "Enter" || event.key === " ";
    const step = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    if (!isPress && !step) return;
    event.preventDefault();
    if (isPress) this.select(event.target);
    else event.target.closest("tr")?.[step]?.focus();
  }

  // --- showing ------------------------------------------------------------------------------------------------------

  update() {
    const children = this.model.get("children");
    const { c: own, score = "UCT" } = this.model.get("about");
    this.nameScore(score);
    const constant = this.constant ?? own;
    const rows = scoreRows(children.rows, constant);
    const isChanged = this.constant !== null && this.constant !== own;
    this.showTexts(children, isChanged ? describeLeaders(rows, constant) : "");
    this.showConstant(constant, own, isChanged);
    this.showSorting(rows);
    const winners = isChanged ? new Set(leaders(rows).map((row) => row.node)) : new Set();
    this.showRows(this.sorting ? sortRows(rows, this.sorting.key, this.sorting.isDescending) : rows, children.marked, winners);
  }

  /** What would happen stands in the place of what has happened. */
  showTexts({ title, visits, note, formula }, verdict) {
    const times = visits === 0 ? "never visited" : `visited ${visits} ${visits === 1 ? "time" : "times"}`;
    const about = note ? `${times} · ${note}` : times;
    const texts = [[this.title, title], [this.note, verdict ? "" : about], [this.verdict, verdict], [this.formula, formula]];
    for (const [place, text] of texts) {
      setText(place, text);
      setAttribute(place, "title", text);
    }
  }

  showConstant(constant, own, isChanged) {
    this.slider.max = Math.max(10, 4 * own);
    this.slider.value = constant;
    showShare(this.slider);
    setAttribute(this.slider, "aria-valuetext", formatConstant(constant));
    setText(this.number, formatConstant(constant));
    setAttribute(this.reset, "aria-disabled", !isChanged);
  }

  /** The last heading is the name of the formula that the search selects by. */
  nameScore(name) {
    const button = this.headings.at(-1).firstChild;
    setText(button, name);
    setAttribute(button, "title", `Sort by ${name}`);
  }

  showSorting(rows) {
    // Most formulas exploit the value itself; a column that only repeats it is left out.
    const isOwn = rows.some((row) => row.exploitation !== row.value);
    this.table.classList.toggle("sokoviz-same", !isOwn);
    this.headings.forEach((heading, index) => {
      const isSorted = this.sorting?.key === COLUMNS[index].key;
      const order = this.sorting?.isDescending ? "descending" : "ascending";
      setAttribute(heading, "aria-sort", isSorted ? order : "none");
    });
  }

  /** Rows are filled anew and not built anew, so that the focus stays. */
  showRows(rows, marked, winners) {
    while (this.rows.length < rows.length) {
      const made = this.buildRow();
      this.rows.push(made);
      this.body.append(made.row);
    }
    while (this.rows.length > rows.length) this.rows.pop().row.remove();
    const range = barRange(rows);
    rows.forEach((row, index) => this.showRow(this.rows[index], row, row.node === marked, winners.has(row.node), range));
    const key = `${this.model.get("children").node} ${marked}`;
    if (key === this.revealed || !rows.some((row) => row.node === marked)) return;
    this.revealed = key;
    afterPaint(() => this.revealRow());
  }

  /** Scroll to the marked row when another is marked; the page around it stays where it is. */
  revealRow() {
    const row = this.body.querySelector(".sokoviz-marked");
    if (!row) return;
    const [top, bottom] = [row.offsetTop - row.offsetHeight, row.offsetTop + row.offsetHeight]; // the heading covers one row
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) {
      // Whole rows, so that none peeps out from under the heading.
      this.scroller.scrollTop = Math.ceil((bottom - clientHeight) / row.offsetHeight) * row.offsetHeight;
    }
  }

  showRow(place, row, isMarked, isWinner, range) {
    COLUMNS.forEach(({ key, write }, index) => setText(place.cells[index], write(row[key])));
    setAttribute(place.row, "data-node", row.node);
    setAttribute(place.row, "title", `Show node ${row.node}`);
    place.row.classList.toggle("sokoviz-marked", isMarked);
    place.row.classList.toggle("sokoviz-winner", isWinner);
    if (isMarked) setAttribute(place.row, "aria-current", "true");
    else place.row.removeAttribute("aria-current");
    showBars(place, row, range);
  }
}

/** Exploitation runs from zero, exploration goes on from its end, so that the bar ends at the score. */
function showBars({ zero, exploration, exploitation }, row, [low, high]) {
  const share = (value) => (100 * (value - low)) / (high - low);
  const span = (bar, from, to) => Object.assign(bar.style, { left: `${share(Math.min(from, to))}%`, width: `${Math.abs(share(to) - share(from))}%` });
  const isVisited = row.score !== Infinity;
  zero.style.left = `${share(0)}%`;
  exploitation.hidden = !isVisited;
  exploration.hidden = !isVisited;
  if (!isVisited) return;
  // Where exploitation is negative the two lie on each other: the thin one is drawn within the other.
  exploitation.classList.toggle("sokoviz-negative", row.exploitation < 0);
  span(exploitation, 0, row.exploitation);
  span(exploration, row.exploitation, row.score);
}
