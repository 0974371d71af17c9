/** The four charts as traces of plotly: how a search grew, over its iterations. */
import { counted, grouped, signed } from "../shared/numbers.js";
import { escape, textWidth } from "../shared/text.js";

const LONGEST_NAME = 14; // letters of a name at the end of a line
const LINE_HEIGHT = 13; // pixels a label at the end of a line needs

/** The charts, in the order of their tabs: name, title of the axis, and how its numbers are said. */
export const CHARTS = [
  { key: "nodes", name: "Nodes made", axis: "nodes", say: (value) => `${counted(value, "node")} made` },
  { key: "depth", name: "Depth", axis: "depth", shape: "hv", say: (value) => `depth ${value}` },
  { key: "root_value", name: "Root value", axis: "value", say: sayValue },
  { key: "children", name: "Root's children", axis: "visits", say: (value) => counted(value, "visit") },
];

/** The same chart where subtrees move: then it counts the iterations that went through each child, not its visits. */
const THROUGH = { axis: "iterations through", say: (value) => `${counted(value, "iteration")} through` };

/** A chart as it is drawn for a series. */
export function chartFor(series, chart) {
  return chart.key === "children" && series?.hasMoves ? { ...chart, ...THROUGH } : chart;
}

function sayValue(value) {
  return Number.isNaN(value) ? "no value" : `value ${signed(value, 3)}`;
}

/** Numbers out of bytes; copied, for bytes of a message begin anywhere. */
function numbers(view, Type) {
  return new Type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

/** The series out of what Python sends; null where there are none yet. */
export function readSeries(charts) {
  if (!charts?.iterations?.byteLength) return null;
  return {
    iterations: numbers(charts.iterations, Int32Array),
    nodes: numbers(charts.nodes, Int32Array),
    depth: numbers(charts.depth, Int32Array),
    root_value: numbers(charts.root_value, Float32Array),
    children: charts.children.map(readChild),
    hasMoves: Boolean(charts.has_moves),
  };
}

function readChild({ node, action, visits }) {
  return { name: action || `node ${node}`, values: numbers(visits, Int32Array) };
}

/** The lines of a chart: {name, values}, the one that counts last, so that it lies on top. */
export function linesOf(series, { key, name }) {
  if (key !== "children") return [{ name, values: series[key] }];
  return [...series.children].sort((one, other) => (one.values.at(-1) ?? 0) - (other.values.at(-1) ?? 0));
}

/** Room in pixels around the lines. */
function marginsOf(lines, [low, high], { scale }) {
  const ticks = high - low > 4 ? [grouped(Math.ceil(high))] : ["0.25", signed(low, 2)];
  const left = 26 * scale + Math.max(...ticks.map((text) => textWidth(text, 11 * scale)));
  const widths = lines.map(({ name }) => textWidth(shortened(name), 11 * scale, true));
  const right = lines.length > 1 ? 14 + Math.max(...widths) : 20 * scale;
  return { l: Math.round(left), r: right, t: 8 * scale, b: 36 * scale };
}

/** Lowest and highest number that the axis shows. */
function rangeOf(lines, { key }) {
  const finite = lines.flatMap(({ values }) => [...values].filter(Number.isFinite));
  const [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  if (key !== "root_value") return [0, Math.max(high * 1.06, 1)];
  const room = Math.max((high - low) * 0.08, 0.05);
  return [low - room, high + room];
}

/** Plotly's traces and layout of a chart. */
export function chartFigure(series, chart, { width, height }, style) {
  const { colors, font, scale } = style;
  const lines = linesOf(series, chart);
  const range = rangeOf(lines, chart);
  const margin = marginsOf(lines, range, style);
  const data = lines.map(({ values }, index) => lineOf(series.iterations, values, chart, index === lines.length - 1, style));
  if (lines.length > 1) data.push(endLabels(lines, series.iterations.at(-1), range, height - margin.t - margin.b, style));
  const title = (text) => ({ text, standoff: 4 * scale, font: { size: 11.5 * scale, color: colors["ink-soft"] } });
  const axis = {
    tickfont: { size: 11 * scale, color: colors["ink-soft"] }, nticks: 5, zeroline: false, automargin: false,
    gridcolor: colors.pill, linecolor: colors.rule, fixedrange: true, separatethousands: true, exponentformat: "none",
  };
  const layout = {
    width, height, margin, showlegend: false, font: { family: font, color: colors.ink },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    xaxis: { ...axis, range: [0, lastOf(series)], showgrid: false, showline: true, title: title("iteration") },
    yaxis: { ...axis, range, title: title(chartFor(series, chart).axis), ...(chart.key === "depth" ? { dtick: wholeSteps(range[1]) } : {}) },
  };
  return { data, layout };
}

/** Iteration at the right end. */
export function lastOf(series) {
  return Math.max(series.iterations.at(-1), 1);
}

/** Distance of ticks at whole numbers. */
function wholeSteps(highest) {
  return Math.max(1, Math.ceil(highest / 5));
}

/** One line; of several the leading one has the colour, the others are context. */
function lineOf(x, y, { shape }, isLeading, { colors, scale }) {
  const color = isLeading ? colors.control : colors.edge;
  const line = { color, width: (isLeading ? 2 : 1.25) * scale, shape: shape ?? "linear" };
  return { type: "scatter", mode: "lines", x, y, hoverinfo: "skip", line };
}

/** Names at the right ends of the lines, pushed apart where they would touch; without room the least visited go without. */
function endLabels(lines, last, [low, high], room, { colors, font, scale }) {
  const step = LINE_HEIGHT * scale;
  const leading = [...lines].reverse().slice(0, Math.max(Math.floor(room / step) + 1, 1));
  const levels = apart(leading.map(({ values }) => ((high - values.at(-1)) / (high - low)) * room), step, room);
  const inks = leading.map((_, index) => (index ? colors["ink-soft"] : colors.control));
  return {
    type: "scatter", mode: "text", hoverinfo: "skip", cliponaxis: false, textposition: "middle right",
    x: levels.map(() => last),
    y: levels.map((level) => high - (level / room) * (high - low)),
    text: leading.map(({ name }, index) => (index ? ` ${escape(shortened(name))}` : ` <b>${escape(shortened(name))}</b>`)),
    textfont: { family: font, size: 11 * scale, color: inks },
  };
}

/** A name that leaves room for the lines. */
function shortened(name) {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** Levels, from top to bottom, with at least a step between them: first pushed down, then up again from the end of the room. */
function apart(levels, step, room) {
  const moved = [];
  for (const level of levels) moved.push(Math.max(level, (moved.at(-1) ?? -Infinity) + step));
  let limit = room;
  for (let index = moved.length - 1; index >= 0; index--) {
    moved[index] = Math.min(moved[index], limit);
    limit = moved[index] - step;
  }
  return moved;
}

/** Index of the sample nearest to an iteration. */
export function sampleAt({ iterations }, iteration) {
  const after = iterations.findIndex((each) => each >= iteration);
  if (after < 0) return iterations.length - 1;
  return after > 0 && iteration - iterations[after - 1] < iterations[after] - iteration ? after - 1 : after;
}

/** What is shown at a sample, in words: of several lines the one nearest to a level of the axis. */
export function readAt(series, chart, sample, level) {
  const lines = linesOf(series, chart);
  const distance = (line) => Math.abs(line.values[sample] - level);
  const nearest = lines.reduce((one, other) => (distance(other) <= distance(one) ? other : one));
  const lead = lines.length > 1 ? `${nearest.name}: ` : "";
  return `iteration ${grouped(series.iterations[sample])} · ${lead}${chartFor(series, chart).say(nearest.values[sample])}`;
}
