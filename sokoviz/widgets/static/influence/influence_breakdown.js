/** The influence of one square on another, line by line as in the text's table 2, each line with one property more. */
import { makeButton } from "../shared/buttons.js";
import { all, html, listen, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { readTable, select } from "./influence_data.js";

const MOST_ROOMY = 10; // squares of a path whose columns need not stand close together
const WHAT = {
  alternatives: "A square adds 2 for each neighbour off the path to which a box could be pushed, 1 for one that only the player can step to",
  connection: "A step adds 1 where a box could be pushed along, 2 where only the player can go",
  tunnel: "A step out of a square with exactly two floor squares beside it adds nothing",
  "goal-skew": "The alternatives of squares on an optimal path from the first square to a goal are halved",
};

const HINT = "Each line takes one more property into account; what it changes is bold. Point at a line to read what it counts.";

/** Mount the breakdown; the model has `pair`, `source`, `target` and `threshold`. */
export function mount(element, model, view) {
  const sentence = html("span", { class: "sokoviz-note" });
  const swap = makeButton("Swap", "The other way round", ["⇄ Swap"], () => select(model, model.get("target"), model.get("source")));
  const line = html("div", { class: "sokoviz-heat-title" }, html("strong", {}, "Most influential path"), sentence, swap);
  const scroller = html("div", { class: "sokoviz-table sokoviz-breakdown" });
  const legend = html("p", { class: "sokoviz-breakdown-legend" });
  element.append(line, scroller, legend);
  const update = () => {
    const pair = model.get("pair");
    const isPair = Boolean(pair.rows);
    swap.setAttribute("aria-disabled", !isPair);
    setText(sentence, isPair ? tell(pair, model.get("threshold")) : missing(model));
    scroller.replaceChildren(...(isPair ? [makeTable(pair)] : []));
    setText(legend, isPair ? HINT : "");
    showOverflow();
  };
  const showOverflow = () => scroller.classList.toggle("sokoviz-more", scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 1);
  update();
  const resizes = new ResizeObserver(showOverflow);
  resizes.observe(scroller);
  const mark = (event) => {
    const name = event.target.closest("[data-square]")?.dataset.square;
    view.set("mark", name ? readTable(model)?.placeOfName(name) ?? null : null);
    setText(legend, WHAT[event.target.closest("tbody tr")?.dataset.line] ?? HINT);
  };
  const leave = () => {
    view.set("mark", null);
    setText(legend, model.get("pair").rows ? HINT : "");
  };
  return all(
    follow(model, ["pair", "source", "target", "threshold", "record"], update),
    listen(scroller, "pointerover", mark),
    listen(scroller, "pointerleave", leave),
    listen(scroller, "scroll", showOverflow),
    listen(scroller, "click", (event) => pick(event, model)),
    () => resizes.disconnect(),
    () => element.replaceChildren(),
  );
}

/** A click on a square of the path begins there. */
function pick(event, model) {
  const name = event.target.closest("th[data-square]")?.dataset.square;
  if (name) select(model, name, "");
}

function missing(model) {
  if (model.get("record").busy) return "";
  return model.get("source") ? `from ${model.get("source")}: pick a second square` : "pick two squares";
}

function tell({ source, target, total, back }, threshold) {
  const near = (value) => (value > threshold ? `${value}, distant` : `${value}, near`);
  if (source === target) return `${source} on itself: ${near(total)} (threshold ${threshold})`;
  return `${source} → ${target}: ${near(total)} · back: ${near(back)} (threshold ${threshold})`;
}

function makeTable({ names, rows, total, source, target }) {
  const places = names.flatMap((name, index) => (index ? ["→", name] : [name]));
  const heads = places.map((text, index) => (index % 2 ? html("th", { "aria-label": "step" }, text) : html("th", { scope: "col", "data-square": text, title: `Begin at ${text}` }, text)));
  const head = html("tr", {}, html("th", { class: "sokoviz-breakdown-name" }), ...heads, html("th", { scope: "col", class: "sokoviz-breakdown-sum" }, "influence"));
  const body = rows.map(([name, values, sum], index) => makeRow(name, values, sum, rows[index - 1]?.[1], names, index === rows.length - 1));
  return html("table", { class: names.length <= MOST_ROOMY ? "sokoviz-roomy-columns" : null, "aria-label": `Influence of ${source} on ${target}: ${total}` }, html("thead", {}, head), html("tbody", {}, ...body));
}

/** A line; what it changes of the line before is strong. */
function makeRow(name, values, sum, before, names, isLast) {
  const cells = values.map((value, index) => html("td", {
    class: [index % 2 ? "sokoviz-step" : "", value !== (before?.[index] ?? 0) ? "sokoviz-changed" : ""].join(" ").trim() || null,
    "data-square": index % 2 ? null : names[index / 2],
  }, String(value)));
  const total = html("td", { class: `sokoviz-breakdown-sum${isLast ? " sokoviz-total" : ""}` }, String(sum));
  return html("tr", { "data-line": name }, html("th", { scope: "row", class: "sokoviz-breakdown-name", title: WHAT[name] }, name), ...cells, total);
}
