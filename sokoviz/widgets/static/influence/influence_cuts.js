/** The legal pushes and what a relevance cut makes of them, after the pushes that led here. */
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";

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
    line.replaceChildren(...tellLine(made, model.get("m")));
    line.scrollTop = line.scrollHeight;
    while (body.rows.length > pushes.length) body.lastChild.remove();
    pushes.forEach((push, index) => writeRow(body.rows[index] ?? addRow(body), push, index));
  };
  update();
  const pushOf = (event) => event.target.closest("tr")?.dataset.index;
  const point = (event) => view.set("push", pushOf(event) === undefined ? null : Number(pushOf(event)));
  return all(
    follow(model, ["cuts", "record"], update),
    listen(body, "click", (event) => play(model, pushOf(event))),
    listen(body, "keydown", (event) => pressKey(event, model)),
    listen(body, "pointerover", point),
    listen(body, "focusin", point),
    listen(body, "pointerleave", () => view.set("push", null)),
    listen(body, "focusout", () => view.set("push", null)),
    () => element.replaceChildren(),
  );
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
    return html("li", { class: classes || null, title: what, "aria-label": what }, link, html("b", {}, push.from), push.cut ? " ✕" : "");
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
