/**
 * The tree part: draws the model's `tree` with plotly.js, and tells the model what the reader points at.
 * Python decides what is shown and where; here it is drawn, zoomed, and moved from one frame to the next.
 */
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { askAgain, loadPlotly, styleOnce } from "../shared/plotly.js";
import { afterPaint } from "../shared/motion.js";
import { drawAhead, noteDrawn } from "./tree_ahead.js";
import { eliminateInTurn } from "./tree_elimination.js";
import { readFrame, spoken } from "./tree_frame.js";
import { Glide } from "./tree_glide.js";
import { hitAt } from "./tree_hits.js";
import { KindLegend } from "./tree_kinds.js";
import { listenToKeys } from "./tree_keys.js";
import { CONFIG, coordinatesAt, layoutOf, planTree, tracesAt } from "./tree_plan.js";
import { Placeholder } from "./tree_placeholder.js";
import { drawQuickly } from "./tree_points.js";
import { saveTree } from "./tree_save.js";
import { followStyle } from "../shared/theme.js";
import { Hint, Legend, Tip } from "./tree_tip.js";
import { makeFoldButton, mountTools } from "./tree_tools.js";
import { placesOf, toRanges, View } from "./tree_view.js";

const DRAG = 4; // pixels a pointer travels before a click is a drag
const DOUBLE = 500; // milliseconds between the clicks of a double click

/** Mount the tree; the model has `tree`, `node`, `playing`, `speed`, `max_depth`, `min_visits` and `large_type`. */
export function mount(element, model) {
  return new TreePart(element, model).cleanup;
}

class TreePart {
  constructor(element, model) {
    Object.assign(this, { element, model, view: new View(), glide: new Glide(), busy: false, asked: false });
    this.drawnFrame = null; // number of the frame that is on the screen
    this.cursor = null; // where keys have gone that are not answered yet
    this.build();
    this.look = followStyle(this.box, model, () => this.settle());
    this.frame = readFrame(model.get("tree"));
    this.announce();
    const leaving = new AbortController();
    this.noteSize();
    const resizes = new ResizeObserver(() => this.resize());
    resizes.observe(this.stage);
    this.cleanup = all(
      ...["tree", "node"].map((name) => model.on(name, () => this.changed(name))),
      this.look.cleanup,
      this.listenToPointer(),
      listenToKeys(this.stage, this),
      () => resizes.disconnect(),
      () => leaving.abort(),
      () => this.tools.cleanup(),
      () => this.leave(),
    );
    this.load(leaving.signal);
  }

  build() {
    this.plot = html("div", { class: "sokoviz-tree-plot", "aria-hidden": "true" });
    const attributes = { class: "sokoviz-tree-stage", role: "figure", tabindex: 0, "data-lm-suppress-shortcuts": "true" };
    this.stage = html("div", attributes, this.plot);
    this.speech = html("div", { class: "sokoviz-unseen", role: "status", "aria-live": "polite" });
    this.box = html("div", { class: "sokoviz-tree" }, this.stage, this.speech);
    this.legend = this.model.get("tree")?.kinds ? new KindLegend(this.box) : new Legend(this.stage);
    this.tip = new Tip(this.stage, !this.model.isAlone);
    this.hint = new Hint(this.stage);
    this.fold = makeFoldButton(this.box, this.model);
    this.placeholder = new Placeholder(this.stage, () => this.retry());
    this.element.append(this.box);
    this.tools = mountTools(this.box, this.model, { reset: () => this.resetView(), save: (format) => this.save(format) });
  }

  /** Leave nothing behind. */
  leave() {
    this.isGone = true;
    this.hint.stop();
    this.placeholder.stop();
    if (this.isPlotted) this.Plotly.purge(this.plot);
    this.box.remove();
    delete this.element.dataset.frame;
  }

  // --- loading plotly -----------------------------------------------------------------------------------------------

  async load(signal) {
    this.signal = signal;
    this.placeholder.wait();
    try {
      this.Plotly = await loadPlotly(this.model, signal);
    } catch (error) {
      this.placeholder.fail(error);
      return;
    }
    if (this.isGone) return;
    this.placeholder.done();
    this.ask();
  }

  /** Ask for plotly.js once more; the answer to either request will do. */
  retry() {
    if (this.placeholder.hasFailed) this.load(this.signal);
    else askAgain(this.model);
    this.placeholder.wait();
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  /** Several traits change in one message: they are drawn together. */
  changed(name) {
    if (name === "tree") this.isStale = true;
    if (name === "node") this.isSought = true;
    this.ask();
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    queueMicrotask(() => {
      this.asked = false;
      if (!this.isGone) this.draw();
    });
  }

  /** Draw what the model has now. What arrives meanwhile is drawn afterwards, and only the last of it. */
  async draw() {
    if (this.isStale) this.read();
    if (!this.frame) return;
    if (!this.Plotly) {
      this.announce();
      return;
    }
    if (this.busy) {
      this.isPending = true;
      return;
    }
    await this.alone(() => this.paint());
  }

  /** Draw while nobody else does; what was asked for meanwhile follows. */
  async alone(draw) {
    this.busy = true;
    try {
      await draw();
    } finally {
      this.busy = false; // one frame that cannot be drawn does not stop the next
    }
    if (this.isGone || !this.isPending) return;
    this.isPending = false;
    this.ask();
  }

  read() {
    this.isStale = false;
    this.frame = readFrame(this.model.get("tree"));
  }

  async paint() {
    const { frame, plot, size, view } = this;
    // A hidden tree counts as drawn, so that playing goes on. To ask for that lays the page out: before anything is changed.
    const isSeen = size.width && size.height && this.stage.checkVisibility();
    this.announce();
    if (!isSeen) return this.painted(frame.number);
    this.cursor = null;
    this.seek();
    this.geometry = view.geometry(frame, size, this.style.scale);
    const target = placesOf(frame, this.geometry);
    const plan = planTree(frame, this.model.get("node"), target, this.geometry, this.style);
    this.plan = plan;
    const { isMoving } = this.glide;
    const start = this.glide.begin(frame, target, this.glideTime());
    this.places = target;
    this.tip.hide();
    const shown = { plan, places: start ?? target, geometry: this.geometry, style: this.style };
    const isAhead = !isMoving && this.drawAhead(shown);
    if (!isAhead) await this.react(shown);
    if (this.isGone) return undefined;
    this.legend.update(frame);
    eliminateInTurn(plot, frame, this.style);
    this.painted(frame.number);
    if (isAhead || start) afterPaint(() => this.catchUp(shown, isAhead, start && target));
    return undefined;
  }

  /** Let plotly draw a frame. */
  async react({ plan, places, geometry, style }) {
    await this.Plotly.react(this.plot, tracesAt(plan.items, places, geometry), layoutOf(geometry, style), CONFIG);
    if (this.isGone) return;
    if (!this.isPlotted) this.listenToPlot();
    noteDrawn(this.plot);
    this.drawn = { geometry, style };
  }

  /** Draw a frame ahead of plotly, on the axes as they are; returns whether it could be. */
  drawAhead({ plan, places, geometry: { width, height }, style }) {
    const { geometry, style: before } = this.drawn ?? {};
    if (before !== style || geometry.width !== width || geometry.height !== height) return false;
    return drawAhead(this.plot, tracesAt(plan.items, places, geometry), toRanges(geometry));
  }

  /** Let plotly know what was drawn ahead of it, and the nodes run, unless something else has been drawn meanwhile. */
  async catchUp(shown, isAhead, target) {
    const isLast = () => !this.isGone && !this.busy && shown.plan === this.plan;
    if (isLast() && isAhead) await this.alone(() => this.react(shown));
    if (isLast() && target) this.move(shown.plan, target);
  }

  /** Let the nodes run to where they belong. */
  move(plan, target) {
    this.glide.start();
    const data = coordinatesAt(plan.items, target, this.geometry);
    const duration = this.glide.duration;
    const timing = { mode: "immediate", transition: { duration, easing: "cubic-in-out" }, frame: { duration, redraw: false } };
    // A glide that the next frame interrupts is rejected without a reason.
    this.Plotly.animate(this.plot, { data, traces: data.map((_, index) => index) }, timing).catch(() => {});
  }

  /** Milliseconds that a glide may take; 0 where it would lag behind. */
  glideTime() {
    if (this.model.get("record")?.running) return 0; // frames of a run come faster than glides end
    const speed = this.model.get("playing") ? this.model.get("speed") : 0;
    return speed > 4 ? 0 : Math.min(250, 700 / Math.max(speed, 0.1));
  }

  /** Say that a frame is on the screen, once it is. */
  painted(number) {
    if (number === this.drawnFrame) return;
    this.drawnFrame = number;
    requestAnimationFrame(() => {
      if (this.isGone || this.drawnFrame !== number) return;
      this.element.dataset.frame = number;
      this.element.dispatchEvent(new CustomEvent("sokoviz-drawn", { detail: number, bubbles: true }));
    });
  }

  // --- looks --------------------------------------------------------------------------------------------------------

  get style() {
    return this.look.style;
  }

  /** Note the size when it changes: to ask for it in the middle of a step would have the page laid out once more. */
  noteSize() {
    this.size = { width: this.stage.clientWidth, height: this.stage.clientHeight };
    // Plotly asks its element at each drawing, and is told the same.
    for (const [name, value] of [["clientWidth", this.size.width], ["clientHeight", this.size.height]]) {
      Object.defineProperty(this.plot, name, { value, configurable: true });
    }
  }

  resize() {
    const { size } = this;
    this.noteSize();
    if (size.width === this.size.width && size.height === this.size.height) return;
    this.settle();
  }

  /** Draw anew without gliding: the next size may come before a glide has ended. */
  settle() {
    this.glide.stop();
    this.ask();
  }

  /** Say what is drawn to those who cannot see it. */
  announce() {
    const { frame } = this;
    if (!frame) return;
    this.tools.update(frame);
    if (frame.kinds) this.legend.update(frame); // its counts need no drawing library
    this.fold.hidden = !frame.marks.unfolded;
    const size = `${frame.nDrawn} of ${frame.nNodes} nodes drawn, ${frame.rows.length} levels`;
    setAttribute(this.stage, "aria-label", `search tree, ${size}; root: ${spoken(frame, 0)}. Up, down and page keys select nodes.`);
  }

  save(format) {
    if (!this.plan) return;
    const layout = layoutOf(this.geometry, this.style, this.style.colors.paper);
    const data = tracesAt(this.plan.items, this.places, this.geometry);
    saveTree(this.Plotly, { data, layout }, this.frame, this.style, format);
  }

  // --- the view -----------------------------------------------------------------------------------------------------

  resetView() {
    this.view.reset();
    this.ask();
  }

  /** A node that was chosen elsewhere is brought into a view that the reader has zoomed. */
  seek() {
    const index = this.frame.indexOf.get(this.model.get("node"));
    if (this.isSought && index !== undefined) this.view.reveal(this.frame.xs[index], this.frame.depths[index]);
    this.isSought = false;
  }

  listenToPlot() {
    this.isPlotted = true;
    styleOnce(this.plot);
    drawQuickly(this.plot);
    this.plot.on("plotly_relayout", () => this.keepView());
  }

  /** After a zoom or a drag: what is measured in pixels is drawn anew. */
  keepView() {
    const { xaxis, yaxis } = this.plot.layout;
    const shown = toRanges(this.drawn.geometry); // what plotly knows of: a frame may be ahead of it
    if (String([shown.x, shown.y]) === String([xaxis.range, yaxis.range])) return;
    this.view.choose(xaxis.range, yaxis.range);
    this.settle();
  }

  /** The wheel scrolls the notebook, until the reader has clicked into the tree or holds Ctrl. */
  listenToPointer() {
    const wheel = (event) => {
      if (event.ctrlKey || event.metaKey || this.stage.contains(document.activeElement)) return;
      event.stopPropagation();
      if (this.isPlotted) this.hint.show("Click into the tree, or hold Ctrl, to zoom with the wheel");
    };
    return all(
      listen(this.stage, "wheel", wheel, { capture: true, passive: true }),
      listen(this.stage, "pointerdown", (event) => this.press(event)),
      listen(this.stage, "pointermove", (event) => this.hover(event)),
      listen(this.stage, "pointerleave", () => this.unhover()),
    );
  }

  // --- nodes --------------------------------------------------------------------------------------------------------

  /** What lies under a pointer; null for nothing. */
  hit(event) {
    if (!this.plan) return null;
    const box = this.plot.getBoundingClientRect();
    return hitAt(this.plan.targets, this.places, this.style.scale, event.clientX - box.left, event.clientY - box.top);
  }

  hover(event) {
    const hit = event.buttons ? null : this.hit(event);
    this.plot.classList.toggle("sokoviz-pointed", Boolean(hit));
    if (hit) this.tip.show(this.frame, hit, this.geometry);
    else this.tip.hide();
  }

  unhover() {
    this.tip.hide();
    this.plot.classList.remove("sokoviz-pointed");
  }

  /** A press that becomes no drag is a click. Plotly covers the page while it lasts, so the end is heard there. */
  press(event) {
    this.stage.focus({ preventScroll: true });
    if (event.button !== 0 || !event.isPrimary || !this.plot.contains(event.target)) return;
    const release = (end) => {
      globalThis.removeEventListener("pointerup", release, true);
      globalThis.removeEventListener("pointercancel", release, true);
      const isClick = end.type === "pointerup" && Math.hypot(end.clientX - event.clientX, end.clientY - event.clientY) < DRAG;
      if (isClick && !this.isGone) this.click(end);
    };
    globalThis.addEventListener("pointerup", release, true);
    globalThis.addEventListener("pointercancel", release, true);
  }

  click(event) {
    const hit = this.hit(event);
    if (!hit) return this.clickBeside(event);
    const node = this.frame.ids[hit.index];
    if (hit.isStub) this.unfold(node);
    else this.model.send({ kind: "select", node });
    return undefined;
  }

  /** Two clicks at one place beside all nodes show the whole tree; the browser counts none, for plotly covers the page. */
  clickBeside({ timeStamp, clientX, clientY }) {
    const { last } = this;
    const isNear = last && Math.hypot(clientX - last.clientX, clientY - last.clientY) < DRAG;
    const isDouble = isNear && timeStamp - last.timeStamp < DOUBLE;
    this.last = isDouble ? null : { timeStamp, clientX, clientY };
    if (isDouble) this.resetView();
  }

  unfold(node) {
    this.model.send({ kind: "unfold", node });
  }

  /** Select a node by key, and speak of it. */
  select(index) {
    this.cursor = index;
    this.model.send({ kind: "select", node: this.frame.ids[index] });
    setText(this.speech, spoken(this.frame, index));
  }
}
