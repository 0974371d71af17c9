/** What stands over a tree: the numbers of the node under the pointer, the scale of values, and a passing hint. */
import { html, setText } from "../shared/dom.js";
import { GRADIENT } from "./tree_colors.js";
import { counted, signed } from "../shared/numbers.js";
import { facts, nodeName } from "./tree_frame.js";

const HINT_MILLISECONDS = 1600;

/** The box with a node's numbers; names go in as text. */
export class Tip {
  /** @param canUnfold whether a click on what is folded unfolds it */
  constructor(element, canUnfold) {
    this.stubWords = canUnfold ? "Click to unfold" : "Not recorded: to unfold it takes Python";
    this.box = html("div", { class: "sokoviz-tip", "aria-hidden": "true", hidden: true });
    element.append(this.box);
  }

  /** Show the numbers of what was pointed at, {index, isStub, x, y}, in a plot of some size. */
  show(frame, { index, isStub, x, y }, { width, height }) {
    this.box.replaceChildren(...(isStub ? stubContent(frame, index, this.stubWords) : nodeContent(frame, index)));
    this.box.hidden = false;
    const { offsetWidth: wide, offsetHeight: high } = this.box;
    const left = x + 16 + wide <= width ? x + 16 : x - 16 - wide;
    this.box.style.left = `${Math.max(left, 2)}px`;
    this.box.style.top = `${Math.max(Math.min(y - high / 2, height - high - 2), 2)}px`;
  }

  hide() {
    this.box.hidden = true;
  }
}

function nodeContent(frame, index) {
  const cells = facts(frame, index).flatMap(([word, number]) => [html("dt", {}, word), html("dd", {}, number)]);
  return [html("strong", {}, nodeName(frame, index)), html("dl", {}, ...cells)];
}

function stubContent(frame, index, words) {
  const text = `${counted(frame.hidden[index], "node")} folded below ${nodeName(frame, index)}`;
  return [html("strong", {}, text), html("div", {}, words)];
}

/** The scale of values, and what size means. */
export class Legend {
  constructor(element) {
    const bar = html("div", { class: "sokoviz-legend-bar" });
    bar.style.background = `linear-gradient(to right, ${GRADIENT.join(", ")})`;
    this.low = html("span");
    this.high = html("span");
    const ends = html("div", { class: "sokoviz-legend-ends" }, this.low, html("span", {}, "value"), this.high);
    this.box = html("div", { class: "sokoviz-legend", role: "note", hidden: true }, bar, ends);
    element.append(this.box);
  }

  update({ valueRange: [low, high] }) {
    setText(this.low, trimmed(low));
    setText(this.high, trimmed(high));
    const range = `colours run from value ${trimmed(low)} to ${trimmed(high)}`;
    this.box.setAttribute("aria-label", `${range}; sizes and lines grow with visits`);
    this.box.hidden = false;
  }
}

/** A number with two digits at most. */
export function trimmed(value) {
  return signed(value, 2).replace(/\.?0+$/, "");
}

/** A hint over the plot that goes away by itself. */
export class Hint {
  constructor(element) {
    this.box = html("div", { class: "sokoviz-hint", "aria-hidden": "true", hidden: true });
    element.append(this.box);
  }

  show(text) {
    setText(this.box, text);
    this.box.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.box.hidden = true; }, HINT_MILLISECONDS);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
