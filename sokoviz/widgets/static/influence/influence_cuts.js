/** The legal pushes and what a relevance cut makes of them, after the pushes that led here. */
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";
import { readTable, select } from "./influence_data.js";

/** Mount the list; the model has `cuts`, `m` and `record`; `view` tells which push is pointed at. */
export function mount(element, model, view) {
  const note = html("span", { class: "sokoviz-note" });
  const title = html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Next pushes"), note);
  const line = html("ol", { class: "sokoviz-line", "aria-label": "Pushes so far" });
  const body = html("tbody");
  const head = html("tr", {}, ...["push", "ruling", "why"].map((text) => html("th", { scope: "col" }, text)));
  const table = html("table", { "aria-label": "Legal pushes" }, html("thead", {}, head), body);
  const scroller = html("div", { class: "sokoviz-table" }, table);
  element.append(title, line, scroller);
  const update = () => {
    const { pushes = [], line: made = [], n_cut: cut = 0 } = model.get("cuts");
    setText(note, model.get("record").busy ? "" : `${counted(pushes.length, "push", "pushes")}, ${cut} cut`);
    line.replaceChildren(...(model.get("record").busy ? [] : tellLine(made, model.get("m"))));
    line.scrollTop = line.scrollHeight;
    while (body.rows.length > pushes.length) body.lastChild.remove();
    pushes.forEach((push, index) => writeRow(body.rows[index] ?? addRow(body), push, index));
    const names = pushes.map((push) => push.name).join();
    if (names !== listed && !body.querySelector(":focus-visible")) scroller.scrollTop = 0;
    listed = names;
  };
  let listed = "";
  update();
  const pushOf = (event) => event.target.closest("tr")?.dataset.index;
  const point = (index = null) => {
    const push = index === null ? null : model.get("cuts").pushes?.[index];
    view.set("push", push ? Number(index) : null);
    view.set("mark", push ? readTable(model)?.placeOfName(push.from) ?? null : null);
  };
  return all(
    follow(model, ["cuts", "m", "record"], update),
    listen(body, "click", (event) => play(model, pushOf(event))),
    listen(body, "keydown", (event) => pressKey(event, model)),
    listen(line, "click", (event) => showField(event, model)),
    listen(body, "pointerover", (event) => point(pushOf(event))),
    listen(body, "focusin", (event) => point(pushOf(event))),
    listen(body, "pointerleave", () => point()),
    listen(body, "focusout", () => point()),
    () => element.replaceChildren(),
  );
}

/** A click on a push that was made shows the field of the square where it began: what was near then. */
function showField(event, model) {
  const square = event.target.closest("button")?.textContent;
  if (square) select(model, square, "");
}

/** Do a push of the list. */
export function play(model, index) {
  const push = model.get("cuts").pushes?.[index];
  if (push) model.send({ kind: "push", square: push.squares[0], direction: push.direction });
}

function addRow(body) {
  const made = html("tr", { tabindex: 0, title: "Click to do this push" }, html("td"), html("td"), html("td"));
  body.append(made);
  return made;
}

function writeRow(element, push, index) {
  const [name, verdict, why] = element.cells;
  setText(name, push.name);
  setText(verdict, push.cut ? "✕ cut" : "kept");
  setText(why, push.reason);
  element.dataset.index = index;
  element.classList.toggle("sokoviz-cut", push.cut);
  setAttribute(element, "aria-label", `${push.name}: ${push.cut ? "cut" : "kept"}, ${push.reason}`);
}

/** Where pushes began, with the influence of each on the next; those that are no longer looked back at are faint. */
function tellLine(made, m) {
  if (!made.length) return [html("li", { class: "sokoviz-line-empty" }, "No pushes yet: play some, or click one below.")];
  return made.map((push, index) => {
    const link = html("span", { class: "sokoviz-line-link" }, push.influence === null ? "" : `${push.influence} →`);
    const what = `push ${index + 1}, ${push.name}: ${push.reason}${push.cut ? "; a relevance cut would have dropped it" : ""}`;
    const classes = [push.distant && "sokoviz-distant", push.cut && "sokoviz-cut", index < made.length - m && "sokoviz-past"].filter(Boolean).join(" ");
    const square = html("button", { type: "button", "aria-label": `Field of ${push.from}, ${what}` }, push.from);
    return html("li", { class: classes || null, title: what }, link, square, push.cut ? " ✕" : "");
  });
}

/** Enter and Space push, arrows go from row to row. */
function pressKey(event, model) {
  const row = event.target.closest("tr");
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (event.key === "Enter" || event.key === " ") play(model, row.dataset.index);
  else if (next) next.focus();
  else return;
  event.preventDefault();
}
