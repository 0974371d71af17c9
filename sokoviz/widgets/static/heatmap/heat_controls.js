/** Controls of heatmaps: sliders that wait for their answer, toggles and choices. */
import { giveKeysBack, makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText, showShare } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { grouped } from "../shared/numbers.js";

const PATIENCE = 1000; // milliseconds after which a slider no longer waits for its answer

/**
 * A slider with its name and its value in words. While it is drawn, a place is asked for only after the answer to the
 * one before, and answers to earlier requests do not pull it back.
 *
 * @param read gives {low, high, value, text, longest}: the words beside it keep room for so many letters
 * @param ask called with a place that the reader wants
 */
export function makeSlider(name, what, read, ask) {
  const input = html("input", { type: "range", step: 1, "aria-label": name, title: what });
  const words = html("span", { class: "sokoviz-slider-text" });
  const element = html("label", { class: "sokoviz-heat-slider" }, html("span", { class: "sokoviz-caption-before", "aria-hidden": "true" }, name), input, words);
  let wanted = null; // the last place that was drawn to, until it is there
  let sent = null; // {value, at}: what was asked for and has not been answered
  const send = () => {
    sent = { value: wanted, at: performance.now() };
    ask(wanted);
  };
  const update = () => {
    const { low, high, value, text, longest = 0 } = read();
    const isAnswered = !sent || sent.value === value || performance.now() - sent.at > PATIENCE;
    Object.assign(input, { min: low, max: high, disabled: high <= low });
    if (isAnswered) {
      sent = null;
      if (wanted !== null && wanted !== value) send();
      else wanted = null;
    }
    if (wanted === null) input.value = value;
    showShare(input);
    setText(words, text);
    words.style.minWidth = `${longest}ch`;
    setAttribute(input, "aria-valuetext", text);
  };
  const off = listen(input, "input", () => {
    wanted = Number(input.value);
    showShare(input);
    if (!sent || performance.now() - sent.at > PATIENCE) send();
  });
  return { element, update, cleanup: all(off, giveKeysBack(input)) };
}

/** A button that is pressed while a trait is true. */
export function makeToggle(model, trait, name, what) {
  const button = makeButton(name, what, [name], () => model.set(trait, !model.get(trait)));
  const update = () => setAttribute(button, "aria-pressed", Boolean(model.get(trait)));
  update();
  return { element: button, cleanup: model.on(trait, update) };
}

/** A list for a trait; options as [value, text]. */
export function makeChoice(model, trait, name, what, options) {
  const list = html("select", { "aria-label": name, title: what }, ...options.map(([value, text]) => html("option", { value }, text)));
  const update = () => { list.value = model.get(trait); };
  update();
  return { element: list, cleanup: all(model.on(trait, update), listen(list, "change", () => model.set(trait, list.value)), giveKeysBack(list)) };
}

const HEATMAPS = [["both", "both heatmaps"], ["sources", "source squares"], ["targets", "target squares"]];

/** Mount the controls of the heatmaps of one learner; the model has `about`, `stage`, `n`, `ends` and `logarithmic`. */
export function mount(element, model) {
  const stage = makeSlider("Stage", "What was known at the end of a stage", () => readStage(model), (value) => model.send({ kind: "stage", stage: value }));
  const episodes = makeSlider("Episodes", "What was known when so many episodes of the stage had been found", () => readEpisodes(model), (n) => model.send({ kind: "episodes", n }));
  const ends = makeChoice(model, "ends", "Heatmaps", "Which heatmaps are shown", HEATMAPS);
  const toggle = makeToggle(model, "logarithmic", "Logarithmic", "Colours tell orders of magnitude, so that faint votes are seen too; otherwise they tell the shares themselves");
  const row = html("div", { class: "sokoviz-heat-row" }, stage.element, episodes.element, ends.element, toggle.element);
  const update = () => [stage, episodes].forEach((slider) => slider.update());
  update();
  element.append(row);
  return all(follow(model, ["about", "stage", "n"], update), ...[stage, episodes, ends, toggle].map((part) => part.cleanup), () => row.remove());
}

function readStage(model) {
  const { stages } = model.get("about");
  const value = model.get("stage");
  return { low: Math.min(1, stages.length), high: stages.length, value, text: stages[value - 1]?.text ?? "nothing learned yet", longest: Math.max(0, ...stages.map(({ text }) => text.length)) };
}

function readEpisodes(model) {
  const { stages, n_episodes: all } = model.get("about");
  const n = model.get("n");
  const { first = 0, last = 0 } = stages[model.get("stage") - 1] ?? {};
  return { low: first, high: last, value: n, text: `${grouped(n)} of ${grouped(last)} known`, longest: `${grouped(all)} of ${grouped(all)} known`.length };
}
