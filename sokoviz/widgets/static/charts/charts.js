/**
 * The charts part: how the search grew, one chart at a time, with the present iteration marked.
 * The mark is a line of its own over the plot, so that a step moves nothing else; data are drawn when there is time.
 */
import { CHARTS, chartFigure, lastOf, linesOf, readAt, readSeries, sampleAt } from "./charts_traces.js";
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { newIdentity } from "../shared/draw.js";
import { loadPlotly } from "../shared/plotly.js";
import { grouped } from "../shared/numbers.js";
import { measureIn } from "../shared/text.js";
import { followStyle } from "../shared/theme.js";

const CONFIG = { staticPlot: true, displayModeBar: false, typesetMath: false };
const PATIENCE = 300; // milliseconds that a drawing may wait for the page to be idle

/** Mount the charts; the model has `charts`, `iteration` and `large_type`. */
export function mount(element, model) {
  return new ChartsPart(element, model).cleanup;
}

class ChartsPart {
  constructor(element, model) {
    Object.assign(this, { model, identity: newIdentity(), chart: CHARTS[0], waiting: null });
    this.build(element);
    this.look = followStyle(this.box, model, () => this.ask());
    const leaving = new AbortController();
    const resizes = new ResizeObserver(() => this.ask());
    resizes.observe(this.stage);
    this.cleanup = all(
      model.on("charts", () => this.changed()),
      model.on("iteration", () => this.follow()),
      this.look.cleanup,
      this.listenToPointer(),
      () => resizes.disconnect(),
      () => leaving.abort(),
      () => this.leave(),
    );
    this.changed();
    this.load(leaving.signal);
  }

  build(element) {
    this.tabs = CHARTS.map((chart, index) => this.buildTab(chart, index));
    this.plot = html("div", { class: "sokoviz-charts-plot", "aria-hidden": "true" });
    this.line = html("div", { class: "sokoviz-charts-now", hidden: true });
    this.tip = html("div", { class: "sokoviz-tip", "aria-hidden": "true", hidden: true });
    this.note = html("p", { class: "sokoviz-charts-note" });
    const attributes = { class: "sokoviz-charts-stage", role: "img", "aria-label": "chart" };
    this.stage = html("div", attributes, this.plot, this.line, this.tip, this.note);
    this.panel = html("div", { class: "sokoviz-charts-panel", role: "tabpanel", id: `${this.identity}-panel` }, this.stage);
    const list = html("div", { class: "sokoviz-charts-tabs", role: "tablist", "aria-label": "Charts" }, ...this.tabs);
    this.box = html("div", { class: "sokoviz-charts" }, list, this.panel);
    element.append(this.box);
    this.choose(0);
  }

  leave() {
    this.isGone = true;
    if (this.isPlotted) this.Plotly.purge(this.plot);
    this.box.remove();
  }

  async load(signal) {
    try {
      this.Plotly = await loadPlotly(this.model, signal);
    } catch {
      return; // the tree says what went wrong, and offers another try
    }
    this.ask();
  }

  // --- tabs ---------------------------------------------------------------------------------------------------------

  buildTab({ name }, index) {
    const ids = { id: `${this.identity}-tab-${index}`, "aria-controls": `${this.identity}-panel` };
    const tab = html("button", { type: "button", role: "tab", ...ids }, name);
    tab.addEventListener("click", () => this.choose(index));
    tab.addEventListener("keydown", (event) => this.step(event, index));
    return tab;
  }

  /** Arrows go from tab to tab. */
  step(event, index) {
    const n = this.tabs.length;
    const to = { ArrowLeft: index - 1 + n, ArrowRight: index + 1, Home: 0, End: n - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to % n);
    this.tabs[to % n].focus();
  }

  choose(chosen) {
    this.chart = CHARTS[chosen];
    this.tabs.forEach((tab, index) => {
      setAttribute(tab, "aria-selected", index === chosen);
      tab.tabIndex = index === chosen ? 0 : -1;
    });
    setAttribute(this.panel, "aria-labelledby", this.tabs[chosen].id);
    this.ask();
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  changed() {
    this.series = readSeries(this.model.get("charts"));
    this.ask();
  }

  /** Draw when the page has time: the tree goes first. */
  ask() {
    if (this.waiting) return;
    const later = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 50));
    this.waiting = later(() => {
      this.waiting = null;
      if (!this.isGone) this.draw();
    }, { timeout: PATIENCE });
  }

  async draw() {
    const { stage, series, chart, look: { style } } = this;
    const size = { width: stage.clientWidth, height: stage.clientHeight };
    const isEmpty = !series || series.iterations.length < 2 || !linesOf(series, chart).length;
    setText(this.note, isEmpty ? "Charts begin with the first iteration." : "");
    this.plot.hidden = isEmpty;
    this.line.hidden = true;
    if (isEmpty || !this.Plotly || !size.width || !size.height) return;
    measureIn(style.font);
    const { data, layout } = chartFigure(series, chart, size, style);
    const { l, r, t, b } = layout.margin;
    this.area = { l, t, width: size.width - l - r, height: size.height - t - b, range: layout.yaxis.range };
    this.isPlotted = true;
    this.follow();
    this.describe();
    await this.Plotly.react(this.plot, data, layout, CONFIG);
    setAttribute(this.stage, "data-drawn", chart.key);
  }

  describe() {
    const { series, chart } = this;
    const end = readAt(series, chart, series.iterations.length - 1, Infinity);
    setAttribute(this.stage, "aria-label", `${chart.name} over ${grouped(lastOf(series))} iterations; at the end: ${end}`);
  }

  /** Mark the present iteration. */
  follow() {
    if (!this.series || !this.area || this.plot.hidden) return; // another search may have begun, whose charts are empty
    const { l, t, width, height } = this.area;
    const share = Math.min(this.model.get("iteration") / lastOf(this.series), 1);
    this.line.hidden = false;
    this.line.style.transform = `translate(${l + share * width}px, ${t}px)`;
    this.line.style.height = `${height}px`;
  }

  // --- pointer ------------------------------------------------------------------------------------------------------

  listenToPointer() {
    return all(
      listen(this.stage, "pointermove", (event) => this.point(event)),
      listen(this.stage, "pointerleave", () => { this.tip.hidden = true; }),
      listen(this.stage, "click", (event) => this.click(event)),
    );
  }

  /** Where a pointer is: {sample, level, x, y}; null off the lines. */
  placeOf(event) {
    if (!this.series || !this.area || this.plot.hidden) return null;
    const box = this.stage.getBoundingClientRect();
    const { l, t, width, height, range: [low, high] } = this.area;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x < l - 6 || x > l + width + 6 || y < t || y > t + height + 6) return null;
    const share = Math.min(Math.max((x - l) / width, 0), 1);
    const level = high - ((y - t) / height) * (high - low);
    return { sample: sampleAt(this.series, share * lastOf(this.series)), level, x, y };
  }

  point(event) {
    const place = this.placeOf(event);
    this.tip.hidden = !place;
    if (!place) return;
    setText(this.tip, readAt(this.series, this.chart, place.sample, place.level));
    const room = this.stage.clientWidth - this.tip.offsetWidth - 2;
    this.tip.style.left = `${Math.max(Math.min(place.x + 12, room), 2)}px`;
    this.tip.style.top = `${place.y > 46 ? place.y - 38 : place.y + 18}px`;
  }

  click(event) {
    const place = this.placeOf(event);
    if (place) this.model.send({ kind: "goto", iteration: this.series.iterations[place.sample] });
  }
}
