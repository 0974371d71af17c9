/**
 * How the tree of one search grew: nodes in the tree, and below that line how many positions they stand for. All charts
 * of a comparison have the same axes, so that they can be compared; what lies between the lines is redundant.
 */
import { all, html, listen, svg } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { grouped } from "../shared/numbers.js";

const MARGIN = { left: 8, right: 8, top: 20, bottom: 20 }; // pixels at the usual size of type
const USUAL_TYPE = 13;

/** Mount the chart of the search with this index; the model has `charts`, `iteration` and `record`. */
export function mount(element, model, index) {
  const drawing = svg("svg", { class: "sokoviz-growth", role: "img" });
  element.append(drawing);
  let area = null;
  const draw = () => { area = drawChart(drawing, model, index); };
  const mark = () => markNow(drawing, area, model.get("iteration"));
  const drawAll = () => { draw(); mark(); };
  drawAll();
  const resizes = new ResizeObserver(drawAll);
  resizes.observe(element);
  const click = (event) => {
    if (!area) return;
    const share = (event.clientX - drawing.getBoundingClientRect().left - area.left) / area.width;
    model.send({ kind: "goto", iteration: Math.round(Math.min(Math.max(share, 0), 1) * area.last) });
  };
  return all(follow(model, ["charts", "large_type"], drawAll), follow(model, ["iteration"], mark), listen(drawing, "click", click), () => resizes.disconnect(), () => drawing.remove());
}

function numbers(view) {
  return view?.byteLength ? new Int32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)) : new Int32Array(0);
}

/** Draw everything but the present moment; returns where the lines lie, null where there are none. */
function drawChart(drawing, model, index) {
  const known = model.get("charts").map((each) => ({ iterations: numbers(each.iterations), inTree: numbers(each.in_tree), distinct: numbers(each.distinct) }));
  const series = known[index];
  const { width, height } = drawing.getBoundingClientRect();
  const last = Math.max(...known.map(({ iterations }) => iterations.at(-1) ?? 0));
  drawing.replaceChildren();
  if (!series || !width || !height || last < 1) return null;
  const zoom = parseFloat(getComputedStyle(drawing.parentElement).fontSize) / USUAL_TYPE;
  const most = Math.max(...known.map(({ inTree }) => inTree.reduce((one, other) => Math.max(one, other), 1)));
  const [left, top] = [MARGIN.left, MARGIN.top * zoom];
  const area = { left, top, width: width - left - MARGIN.right, height: height - top - MARGIN.bottom * zoom, last, most };
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.append(...axes(area), ...lines(area, series), ...legend(area, series, zoom), svg("path", { class: "sokoviz-growth-now" }));
  drawing.setAttribute("aria-label", describe(series));
  return area;
}

function describe({ inTree, distinct, iterations }) {
  const states = distinct.length ? `, ${grouped(distinct.at(-1))} distinct states` : "";
  return `Growth over ${grouped(iterations.at(-1))} iterations; at the end ${grouped(inTree.at(-1))} nodes in the tree${states}`;
}

function axes({ left, top, width, height, last, most }) {
  const below = top + height;
  const text = (x, y, anchor, words) => svg("text", { x, y, "text-anchor": anchor }, words);
  return [
    svg("path", { class: "sokoviz-growth-axis", d: `M${left} ${below}h${width}` }),
    svg("path", { class: "sokoviz-growth-grid", d: `M${left} ${top}h${width}` }),
    text(left, below + 14, "start", "0"),
    text(left + width, below + 14, "end", `${grouped(last)} iterations`),
    text(left + width, top - 5, "end", grouped(most)),
  ];
}

function lines(area, { iterations, inTree, distinct }) {
  const x = (iteration) => (area.left + (iteration / area.last) * area.width).toFixed(1);
  const y = (count) => (area.top + area.height - (count / area.most) * area.height).toFixed(1);
  const way = (counts) => Array.from(iterations, (iteration, place) => `${x(iteration)} ${y(counts[place])}`);
  const [above, floor] = [way(inTree), [`${x(iterations.at(-1))} ${y(0)}`, `${x(0)} ${y(0)}`]];
  const line = (role, points) => svg("path", { class: `sokoviz-growth-${role}`, d: `M${points.join("L")}` });
  const fill = (role, points) => svg("path", { class: `sokoviz-growth-${role}`, d: `M${points.join("L")}Z` });
  if (!distinct.length) return [fill("distinct-fill", [...above, ...floor]), line("distinct", above)];
  const below = way(distinct);
  return [
    fill("redundant-fill", [...above, ...[...below].reverse()]),
    fill("distinct-fill", [...below, ...floor]),
    line("redundant", above),
    line("distinct", below),
    ...(area.last > iterations.at(-1) ? [svg("circle", { class: "sokoviz-growth-end", cx: x(iterations.at(-1)), cy: y(inTree.at(-1)), r: 4 })] : []),
  ];
}

/** What the lines are, above them. */
function legend({ left, top }, { distinct }, zoom) {
  const entries = distinct.length ? [["redundant", "nodes in the tree"], ["distinct", "distinct states"]] : [["distinct", "nodes"]];
  const y = top - 6 * zoom;
  return entries.flatMap(([role, words], place) => {
    const x = left + 135 * place * zoom;
    return [
      svg("path", { class: `sokoviz-growth-${role}`, d: `M${x} ${y - 4 * zoom}h${14 * zoom}` }),
      svg("text", { x: x + 19 * zoom, y }, words),
    ];
  });
}

/** Mark the present moment. */
function markNow(drawing, area, iteration) {
  const line = drawing.querySelector(".sokoviz-growth-now");
  if (!line || !area) return;
  const x = area.left + Math.min(iteration / area.last, 1) * area.width;
  line.setAttribute("d", `M${x.toFixed(1)} ${area.top}v${area.height}`);
}
