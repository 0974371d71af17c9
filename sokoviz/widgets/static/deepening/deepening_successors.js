/** The successors of the selected node, what became of each, and above them why the node itself became what it is. */
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted, grouped } from "../shared/numbers.js";
import { signOf } from "../tree/tree_kinds.js";

const COLUMNS = [["action", "move"], ["pushes", "pushes"], ["f", "made + left"], ["fate", "became"], ["below", "below"]];

/** Mount the table; the model has `children` and `node`. */
export function mount(element, model) {
  const title = html("strong");
  const note = html("p", { class: "sokoviz-why" });
  const body = html("tbody");
  const head = html("tr", {}, ...COLUMNS.map(([name, words]) => html("th", { scope: "col", class: `sokoviz-column-${name}` }, words)));
  const table = html("table", { "aria-label": "Successors" }, html("thead", {}, head), body);
  const box = html("div", { class: "sokoviz-successors" }, note, title, html("div", { class: "sokoviz-table" }, table));
  element.append(box);
  const update = () => {
    const { title: words, note: why, marked, rows } = model.get("children");
    setText(title, `${words}: ${counted(rows.length, "move")}`);
    setText(note, why);
    setAttribute(note, "title", why);
    body.replaceChildren(...rows.map((row) => rowOf(row, marked)));
  };
  const choose = (event) => {
    const row = event.target.closest("tr[data-node]");
    if (!row || (event.type === "keydown" && event.key !== "Enter")) return;
    if (event.type === "keydown") event.stopPropagation();
    model.send({ kind: "select", node: Number(row.dataset.node) });
  };
  update();
  return all(follow(model, ["children"], update), listen(body, "click", choose), listen(body, "keydown", choose), () => box.remove());
}

function rowOf(row, marked) {
  const cells = {
    action: [row.action],
    pushes: [row.pushes > 1 ? `×${row.pushes}` : "1"],
    f: [row.f.replace(/^f = |^g = /, "")],
    fate: [signOf(row), row.fate],
    below: [row.below ? grouped(row.below) : ""],
  };
  const attributes = { "data-node": row.node, tabindex: 0, class: row.node === marked ? "sokoviz-marked" : false };
  return html("tr", attributes, ...COLUMNS.map(([name]) => html("td", { class: `sokoviz-column-${name}` }, ...cells[name])));
}
