/** Controls of a comparison: stages, the curriculum as a film, which squares on which scale, and files to take away. */
import { makeButton, makeSwitch } from "../shared/buttons.js";
import { all, html } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { savePages } from "../shared/save.js";
import { makeChoice, makeSlider, makeToggle } from "../heatmap/heat_controls.js";
import { showStage, stageCounts, stepStages } from "./compared.js";
import { saveHeatmaps } from "./heatmaps_save.js";

const PLAY = [
  { name: "Play curriculum", what: "Lead the learners through their stages, from one box on (Space)", icon: "play", words: "Play curriculum" },
  { name: "Pause curriculum", what: "Stop at this stage (Space)", icon: "pause", words: "Pause curriculum" },
];
const ENDS = [["sources", "source squares"], ["targets", "target squares"]];

/** Mount the controls; the model has `views`, `stages`, `ends`, `logarithmic`, `selected`, `playing` and `speed`. */
export function mount(element, model) {
  const play = makeSwitch(PLAY, () => (model.get("playing") ? model.set("playing", false) : start(model)));
  play.element.classList.add("sokoviz-primary");
  const sliders = model.get("views").map((view, index) => makeStageSlider(model, view, index));
  const ends = makeChoice(model, "ends", "Squares", "Squares from which, or to which, the episodes would move a box", ENDS);
  const scale = makeToggle(model, "logarithmic", "Logarithmic", "Colours tell orders of magnitude; otherwise they tell the shares themselves");
  const files = html("span", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Export" }, ...exportButtons(element, model));
  const stages = html("div", { class: "sokoviz-compare-stages" }, ...sliders.map((slider) => slider.element));
  const row = html("div", { class: "sokoviz-heat-row" }, play.element, stages, ends.element, scale.element, files);
  element.append(row);
  const update = () => {
    play.show(model.get("playing") ? 1 : 0);
    play.element.hidden = Math.max(...stageCounts(model)) < 2;
    sliders.forEach((slider) => slider.update());
  };
  update();
  return all(follow(model, ["views", "stages", "playing"], update), pace(model), savePages(model), ...[...sliders, ends, scale].map((part) => part.cleanup), () => row.remove());
}

function makeStageSlider(model, { name }, index) {
  const read = () => {
    const { frames } = model.get("views")[index];
    const value = model.get("stages")[index];
    return { low: 1, high: Math.max(frames.length, 1), value, text: frames[value - 1]?.label ?? "" };
  };
  const slider = makeSlider(`Stage ${name}`, `The stage that ${name} shows`, read, (stage) => showStage(model, index, stage));
  slider.element.hidden = model.get("views")[index].frames.length === 1;
  const { update } = slider;
  return { ...slider, update: () => { slider.element.hidden = stageCounts(model)[index] < 2; update(); } };
}

/**
 * The views that are led: the selected one, or else the last that has stages, first; and one of every other learner.
 * Another view of the same learner stays where it is, to be compared with.
 */
function ledViews(model) {
  const [views, counts] = [model.get("views"), stageCounts(model)];
  const selected = model.get("selected");
  const leader = counts[selected] > 1 ? selected : counts.findLastIndex((n) => n > 1);
  const known = new Set([views[leader]?.learner]);
  const others = views.map((_, index) => index).filter((index) => counts[index] > 1 && !known.has(views[index].learner) && known.add(views[index].learner));
  return leader < 0 ? [] : [leader, ...others];
}

/** Begin at the first stage, or go on where it was paused. */
function start(model) {
  const led = ledViews(model);
  if (!led.length) return;
  if (model.get("stages")[led[0]] >= stageCounts(model)[led[0]]) stepStages(model, led, () => 1);
  model.set("playing", true);
}

/** Go from stage to stage while playing. Every change begins the waiting anew, so that two displays do not race. */
function pace(model) {
  let timer = null;
  const next = () => {
    const led = ledViews(model);
    stepStages(model, led, (stage) => stage + 1);
    const [stages, counts] = [model.get("stages"), stageCounts(model)];
    if (led.every((index) => stages[index] >= counts[index])) model.set("playing", false);
  };
  const wait = () => {
    clearTimeout(timer);
    if (model.get("playing")) timer = setTimeout(next, 1000 / model.get("speed"));
  };
  wait();
  return all(model.on("playing", wait), model.on("stages", wait), () => clearTimeout(timer));
}

function exportButtons(element, model) {
  const root = () => element.closest(".sokoviz");
  const picture = ["PNG", "SVG"].map((kind) => makeButton(`Export ${kind}`, `Save the heatmaps as ${kind}`, [kind], () => saveHeatmaps(root(), kind.toLowerCase())));
  const page = makeButton("Export page", "Save a page that works without a kernel, with all stages in it", ["Page"], () => model.send({ kind: "export" }));
  return model.isAlone ? picture : [...picture, page];
}
