/** The thresholds: a bar each of what became of successors, beside it a table; the one that is shown is marked. */
import { makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, svg } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { grouped } from "../shared/numbers.js";
import { signOf } from "../tree/tree_kinds.js";

const VIEWS = [["chart", "Thresholds"], ["table", "Table"]];
const MARGIN = { left: 10, right: 10, top: 50, bottom: 22 }; // pixels at the usual size of type
const WIDEST = 46; // pixels of a bar
const USUAL_TYPE = 13;

/** Mount the thresholds; the model has `charts`, `story` and takes `goto`. */
export function mount(element, model) {
  let view = "chart";
  const buttons = VIEWS.map(([name, words]) => ({ name, button: makeButton(words, `Show the thresholds as a ${name}`, [words], () => { view = name; update(); }) }));
  const drawing = svg("svg", { class: "sokoviz-threshold-bars", role: "img" });
  const rows = html("tbody");
  const head = html("thead");
  const sheet = html("div", { class: "sokoviz-table" }, html("table", { "aria-label": "Thresholds" }, head, rows));
  const box = html("div", { class: "sokoviz-thresholds" }, html("div", { class: "sokoviz-tabs", role: "group", "aria-label": "Thresholds" }, ...buttons.map((each) => each.button)), drawing, sheet);
  element.append(box);
  const update = () => {
    for (const { name, button } of buttons) setAttribute(button, "aria-pressed", name === view);
    drawing.toggleAttribute("hidden", view !== "chart");
    sheet.hidden = view !== "table";
    const shown = { ...model.get("charts"), now: model.get("story").threshold };
    if (view === "chart") drawBars(drawing, shown);
    else fillTable(head, rows, shown);
  };
  update();
  const resizes = new ResizeObserver(update);
  resizes.observe(box);
  const go = (event) => {
    const first = event.target.closest("[data-first]")?.dataset.first;
    if (first) model.send({ kind: "goto", iteration: Number(first) });
  };
  return all(follow(model, ["charts", "story", "large_type"], update), listen(drawing, "click", go), listen(rows, "click", go), () => resizes.disconnect(), () => box.remove());
}

/** One bar a threshold, as high as it has successors, of which each part is as high as came to one fate. */
function drawBars(drawing, { kinds = [], rows = [], now }) {
  const { width, height } = drawing.getBoundingClientRect();
  drawing.replaceChildren();
  if (!width || !height) return;
  const zoom = parseFloat(getComputedStyle(drawing.parentElement).fontSize) / USUAL_TYPE;
  setAttribute(drawing, "viewBox", `0 0 ${width} ${height}`);
  if (!rows.length) {
    drawing.append(svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "no threshold yet"));
    return;
  }
  const [top, below] = [MARGIN.top * zoom, height - MARGIN.bottom * zoom];
  const room = (width - MARGIN.left - MARGIN.right) / rows.length;
  const most = Math.max(...rows.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)), 1);
  const place = { room, wide: Math.min(WIDEST * zoom, Math.max(room * 0.7, 1)), top, below, most, zoom };
  drawing.append(
    svg("path", { class: "sokoviz-growth-axis", d: `M${MARGIN.left} ${below}H${width - MARGIN.right}` }),
    svg("text", { x: MARGIN.left, y: 13 * zoom }, "expanded, over successors by fate"),
    svg("text", { x: width - MARGIN.right, y: 13 * zoom, "text-anchor": "end" }, `up to ${grouped(most)}`),
    ...legendOf(kinds, zoom),
    ...rows.flatMap((row, index) => barOf(row, kinds, MARGIN.left + (index + 0.5) * room, row.number === now, place)),
  );
  setAttribute(drawing, "aria-label", `Thresholds: ${rows.map(({ limit, expanded }) => `${limit}, ${grouped(expanded)} expanded`).join("; ")}`);
}

/** What is not cut is no fate of the tree's legend, so its colour is told here. */
function legendOf(kinds, zoom) {
  return kinds.filter(isNotCut).flatMap(({ name, color }) => {
    const sign = svg("rect", { x: MARGIN.left, y: 19 * zoom, width: 9 * zoom, height: 9 * zoom });
    sign.style.fill = `var(--sokoviz-${color})`;
    return [sign, svg("text", { x: MARGIN.left + 14 * zoom, y: 28 * zoom }, `${name}, others as in the tree`)];
  });
}

function isNotCut({ key }) {
  return key === "open";
}

function barOf({ number, limit, expanded, counts, first }, kinds, middle, isNow, { room, wide, top, below, most, zoom }) {
  const scale = (below - top) / most;
  let y = below;
  const parts = counts.flatMap((count, index) => {
    const high = count * scale;
    if (!high) return [];
    y -= high;
    const part = svg("rect", { x: middle - wide / 2, y, width: wide, height: high });
    part.style.fill = `var(--sokoviz-${kinds[index].color})`;
    return [part];
  });
  const told = kinds.map(({ name }, index) => `${grouped(counts[index])} ${name}`).join(", ");
  const title = svg("title", {}, `threshold ${number}, limit ${limit}: ${grouped(expanded)} expanded; successors: ${told}`);
  const target = svg("rect", { class: "sokoviz-bar-target", x: middle - room / 2, y: top, width: room, height: below - top + 20 * zoom });
  const isNamed = room > 30 * zoom || isNow;
  const name = isNamed ? [svg("text", { class: isNow ? "sokoviz-now" : "", x: middle, y: below + 14 * zoom, "text-anchor": "middle" }, String(limit)),
    ...(isNow || grouped(expanded).length * 7 * zoom < room ? [svg("text", { class: isNow ? "sokoviz-now" : "", x: middle, y: y - 7, "text-anchor": "middle" }, grouped(expanded))] : [])] : [];
  const mark = isNow ? [svg("rect", { class: "sokoviz-bar-now", x: middle - wide / 2 - 3, y: y - 3, width: wide + 6, height: below - y + 4, rx: 3 })] : [];
  return [svg("g", { "data-first": first, class: "sokoviz-bar" }, title, ...parts, ...mark, ...name, target)];
}

function fillTable(head, body, { kinds = [], rows = [], now }) {
  const names = ["", "limit", "expanded"].map((name) => html("th", { scope: "col" }, name));
  const signs = kinds.map((kind) => html("th", { scope: "col", title: kind.name, "aria-label": kind.name }, ...(isNotCut(kind) ? [signOf(kind), ` ${kind.name}`] : [signOf(kind)])));
  head.replaceChildren(html("tr", {}, ...names, ...signs));
  body.replaceChildren(...rows.map(({ number, limit, expanded, counts, first }) => {
    const cells = [number, limit, expanded, ...counts].map((count) => html("td", {}, grouped(count)));
    return html("tr", { "data-first": first, class: number === now ? "sokoviz-marked" : false, title: "Go to its first step" }, ...cells);
  }));
}
