/** Learning curves over the stages: boards solved, moves an episode, time, and what the buffer is made of. */
import { all, html, setAttribute, setText } from "../shared/dom.js";
import { loadPlotly } from "../shared/plotly.js";
import { followStyle } from "../shared/theme.js";
import { shade } from "../tree/tree_colors.js";

const CONFIG = { displayModeBar: false, typesetMath: false };
const NARROW = 560; // pixels below which two charts stand in a row instead of four
const N_CHARTS = 4;
const MOST_TICKS = 6;
const MANY = 12; // stages from which bars stand closer
const EMPTY = "Curves begin with the first episode.";

/** Mount the curves; the model has `curves` and `stage`. */
export function mount(element, model) {
  return new CurvesPart(element, model).cleanup;
}

class CurvesPart {
  constructor(element, model) {
    this.model = model;
    this.plot = html("div", { class: "sokoviz-curves-plot", role: "img", "aria-label": "Learning curves" });
    this.note = html("p", { class: "sokoviz-charts-note" });
    this.box = html("div", { class: "sokoviz-curves" }, this.plot, this.note);
    element.append(this.box);
    this.look = followStyle(this.box, model, () => this.draw());
    const leaving = new AbortController();
    const resizes = new ResizeObserver(() => this.draw());
    resizes.observe(this.box);
    this.cleanup = all(
      model.on("curves", () => this.draw()),
      model.on("stage", () => this.draw()),
      this.look.cleanup,
      () => resizes.disconnect(),
      () => leaving.abort(),
      () => { if (this.isPlotted) this.Plotly.purge(this.plot); },
      () => this.box.remove(),
    );
    this.load(leaving.signal);
  }

  async load(signal) {
    setText(this.note, "Loading plotly.js …");
    try {
      this.Plotly = await loadPlotly(this.model, signal);
      this.draw();
    } catch (error) {
      setText(this.note, `The curves cannot be drawn: ${error.message}`);
    }
  }

  async draw() {
    const { clientWidth: width, clientHeight: height } = this.box;
    const curves = this.model.get("curves");
    const isEmpty = !curves.stages?.length;
    if (!this.Plotly) return;
    setText(this.note, isEmpty ? EMPTY : "");
    if (isEmpty || !width || !height) return;
    this.isPlotted = true;
    const { data, layout } = figure(curves, this.model.get("stage"), { width, height }, this.look.style);
    setAttribute(this.plot, "aria-label", describe(curves));
    await this.Plotly.react(this.plot, data, layout, CONFIG);
    setAttribute(this.box, "data-drawn", curves.stages.length);
  }
}

function describe({ stages, solved, boards, length }) {
  const said = stages.map((name, index) => `${name} boxes: ${solved[index]} of ${boards[index]} boards solved, ${length[index]?.toFixed(1) ?? "no"} moves an episode`);
  return `Learning curves. ${said.join("; ")}`;
}

/** Plotly's traces and layout: four charts of equal size. */
function figure(curves, stage, { width, height }, { colors, font }) {
  const columns = width < NARROW ? 2 : 4;
  const layout = {
    width, height, showlegend: false, barmode: "stack", bargap: curves.stages.length > MANY ? 0.1 : 0.25, margin: { l: 34, r: 8, t: 22, b: 32 },
    font: { family: font, size: 11, color: colors["ink-soft"] }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    hoverlabel: { font: { family: font, size: 12 } }, annotations: [], shapes: [],
  };
  titles(curves, colors).forEach((title, index) => addAxes(layout, index, title, columns, curves, stage, colors));
  return { data: traces(curves, colors), layout };
}

/** What each chart shows, with the colours of its parts. */
function titles({ buffer }, colors) {
  const ink = (color, text) => `<span style="color:${color}">${text}</span>`;
  const boxes = buffer.map(([each]) => each);
  const key = boxes.length > 1 ? ` ${ink(shade(0), "■")} ${boxes[0]} – ${ink(shade(1), "■")} ${boxes.at(-1)}` : "";
  return ["<b>Boards solved</b>", `<b>Moves</b> ${ink(colors.context, "┄ as found")}`, "<b>Seconds</b>", `<b>Buffer</b>${key}`];
}

/** Where a chart stands, and its title. */
function addAxes(layout, index, title, columns, curves, stage, colors) {
  const rows = N_CHARTS / columns;
  const [column, row] = [index % columns, Math.floor(index / columns)];
  const [wide, high] = [1 / columns, 1 / rows];
  const [gapX, gapY] = [columns === 4 ? 0.062 : 0.1, rows > 1 ? 0.16 : 0];
  const x = [column * wide + (column ? gapX : 0), (column + 1) * wide];
  const y = [1 - (row + 1) * high + (row < rows - 1 ? gapY : 0), 1 - row * high - (row ? gapY : 0)];
  const suffix = index ? index + 1 : "";
  const axis = { gridcolor: colors.pill, linecolor: colors.rule, zeroline: false, fixedrange: true, automargin: false };
  layout[`xaxis${suffix}`] = { ...axis, domain: x, anchor: `y${suffix}`, type: "category", categoryarray: curves.stages, categoryorder: "array", range: [-0.5, curves.stages.length - 0.5], showgrid: false, showline: true, tickangle: 0, ...ticks(curves) };
  layout[`yaxis${suffix}`] = { ...axis, domain: y, anchor: `x${suffix}`, rangemode: "tozero", nticks: 5, ...(index === 0 ? { range: [0, 1.04], tickformat: ".0%" } : {}) };
  layout.annotations.push({ text: title, x: x[0], y: y[1], xref: "paper", yref: "paper", xanchor: "left", yanchor: "bottom", yshift: 3, showarrow: false, font: { size: 12, color: colors.ink } });
  const edge = { type: "line", xref: `x${suffix}`, yref: `y${suffix} domain`, y0: 0, y1: 1, line: { color: colors.rule, width: 1, dash: "dot" }, layer: "below" };
  for (const { first } of passesOf(curves).slice(1)) layout.shapes.push({ ...edge, x0: first - 0.5, x1: first - 0.5 });
  const at = stage - 1;
  if (stage > 0) layout.shapes.push({ type: "rect", xref: `x${suffix}`, yref: `y${suffix} domain`, x0: at - 0.5, x1: at + 0.5, y0: 0, y1: 1, fillcolor: colors.now, opacity: 0.13, line: { width: 0 }, layer: "below" });
}

/** The passes through the curriculum: their first and last stages, counted from 0. */
function passesOf({ passes }) {
  return [...new Set(passes)].map((pass) => ({ pass, first: passes.indexOf(pass), last: passes.lastIndexOf(pass) }));
}

/** What is written under a chart: numbers of boxes, or the passes where there are several. */
function ticks(curves) {
  const title = (text) => ({ text, standoff: 2, font: { size: 11 } });
  const passes = passesOf(curves);
  if (passes.length < 2) return { nticks: 10, title: title("boxes") };
  const every = Math.ceil(passes.length / MOST_TICKS);
  const shown = passes.filter((_, index) => index % every === 0);
  return { tickvals: shown.map(({ first, last }) => (first + last) / 2), ticktext: shown.map(({ pass }) => `${pass}`), ticks: "", title: title("pass") };
}

/** Values with a gap before every pass but the first, so that no line leads from one to the next. */
function withGaps(values, { passes }) {
  return values.flatMap((value, index) => (index && passes[index] !== passes[index - 1] ? [null, value] : [value]));
}

function traces(curves, colors) {
  const { stages: x, rate, found_length: found, length, seconds, buffer, solved, boards, passes } = curves;
  const line = (index, name, y, color, extra = {}) => ({
    type: "scatter", mode: "lines+markers", name, x: withGaps(x, curves), y: withGaps(y, curves), xaxis: `x${index}`, yaxis: `y${index}`, connectgaps: passes.at(-1) === 1,
    line: { color, width: 2 }, marker: { color, size: 5 }, ...extra,
  });
  const told = withGaps(solved.map((count, index) => `${count} of ${boards[index]}`), curves);
  const share = (place) => shade(buffer.length > 1 ? place / (buffer.length - 1) : 0.5);
  return [
    { ...line("", "solved", rate, colors.control, { text: told, hovertemplate: "%{x} boxes: %{text}<extra></extra>" }), xaxis: "x", yaxis: "y" },
    line(2, "as found", found, colors.edge, { line: { color: colors.context, width: 1.5, dash: "dot" }, marker: { color: colors.context, size: 4 }, hovertemplate: "%{x} boxes: %{y:.1f} moves as found<extra></extra>" }),
    line(2, "optimised", length, colors.control, { hovertemplate: "%{x} boxes: %{y:.1f} moves, optimised<extra></extra>" }),
    { type: "bar", x, y: seconds, xaxis: "x3", yaxis: "y3", marker: { color: colors.control }, hovertemplate: "%{x} boxes: %{y:.3~s} s<extra></extra>" },
    ...buffer.map(([boxes, counts], place) => ({
      type: "bar", name: `${boxes}`, x, y: counts, xaxis: "x4", yaxis: "y4", marker: { color: share(place), line: { color: colors.outline, width: x.length > MANY ? 0 : 0.5 } },
      hovertemplate: `after %{x} boxes: %{y} episodes with ${boxes} ${boxes === 1 ? "box" : "boxes"}<extra></extra>`,
    })),
  ];
}
