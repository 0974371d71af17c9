/** The slider over all iterations, with a tick where an event lies. */
import { giveKeysBack } from "../shared/buttons.js";
import { all, html, listen, setAttribute, showShare, svg } from "../shared/dom.js";
import { follow } from "../shared/model.js";

const PATIENCE = 2000; // milliseconds after which a request counts as answered, so that the slider never sticks

/** Colour of each kind of event, no two alike in one game; what is not listed is context. */
const ROLE_OF = {
  tie: "context",
  terminal: "ink",
  expansion: "new-soft", // there are many
  deadlock: "dead-soft",
  duplicate: "ink",
  deeper: "control",
  move: "new",
  elimination: "dead",
  leader: "now",
  solution: "box",
  threshold: "control",
  "goal cut": "goal-cut",
  relevance: "relevance",
  difference: "now", // of searches that are compared
};

/** Mount the slider; the model has `iteration`, `phase`, `record`, `ticks` and `about`. */
export function mount(element, model) {
  const ticks = svg("svg", { class: "sokoviz-ticks", "aria-hidden": "true", preserveAspectRatio: "none" });
  const input = html("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Iteration", title: "Go to any iteration (Home: first, End: last)" });
  const slider = html("div", { class: "sokoviz-slider" }, ticks, input);
  const legend = html("div", { class: "sokoviz-tick-legend" });
  element.append(slider, legend);
  const cleanups = [mountScrubbing(input, model), mountTicks(ticks, legend, model), giveKeysBack(input)];
  return all(...cleanups, () => slider.remove(), () => legend.remove());
}

// --- scrubbing ------------------------------------------------------------------------------------------------------

/** Ask for one iteration at a time; while the answer is under way, the latest wish waits. */
function mountScrubbing(input, model) {
  let asked = null; // the iteration that was asked for; null where no request is under way
  let timer = null;
  const ask = () => {
    asked = iterationAt(model, Number(input.value));
    if (model.get("playing")) model.set("playing", false);
    model.send({ kind: "goto", iteration: asked });
    timer = setTimeout(settle, PATIENCE);
  };
  const settle = () => {
    clearTimeout(timer);
    const isLatest = asked === iterationAt(model, Number(input.value));
    asked = null;
    if (isLatest) update();
    else ask();
  };
  const update = () => {
    const { last } = model.get("record");
    const iteration = model.get("iteration");
    input.max = lastPlace(model);
    input.disabled = last === 0;
    setAttribute(input, "aria-valuetext", `iteration ${iteration} of ${last}`);
    if (asked === null) input.value = placeOf(model, iteration);
    showShare(input);
    if (asked === iteration && model.get("phase") === "") settle();
  };
  update();
  const wish = () => {
    showShare(input);
    if (asked === null) ask();
  };
  return all(follow(model, ["iteration", "phase", "record"], update), listen(input, "input", wish), () => clearTimeout(timer));
}

// A recording may have gaps: then a place on the slider stands for one of the iterations that are recorded.

const lastPlace = (model) => (model.get("record").iterations?.length ?? model.get("record").last + 1) - 1;

const iterationAt = (model, place) => model.get("record").iterations?.[place] ?? place;

const placeOf = (model, iteration) => model.get("record").iterations?.indexOf(iteration) ?? iteration;

// --- ticks ----------------------------------------------------------------------------------------------------------

/** One path a kind of event, each in a lane of its own, so that kinds are told apart without colours too. */
function mountTicks(ticks, legend, model) {
  let drawn = null; // the ticks that are there already
  const update = () => {
    const placesOf = model.get("ticks");
    const kinds = Object.keys(placesOf);
    setAttribute(ticks, "viewBox", `0 0 ${Math.max(lastPlace(model), 1)} ${Math.max(kinds.length, 1)}`);
    if (placesOf !== drawn) ticks.replaceChildren(...kinds.map((kind, lane) => svg("path", { class: roleClass(kind), d: comb(placesOf[kind], lane) })));
    drawn = placesOf;
    const names = namesOf(model.get("about").run_to);
    if (legend.dataset.kinds === kinds.join()) return;
    legend.dataset.kinds = kinds.join();
    legend.replaceChildren(...kinds.map((kind) => swatch(kind, names[kind] ?? kind)));
  };
  update();
  return follow(model, ["record", "ticks", "about"], update);
}

const roleClass = (kind) => `sokoviz-tick-${ROLE_OF[kind] ?? "context"}`;

/** Short strokes at the iterations, in one path. */
const comb = (places, lane) => places.map((place) => `M${place} ${lane + 0.1}v0.8`).join("");

/** Names of events: "tie" for the entry "next tie" of the list of goals. */
const namesOf = (goals) => Object.fromEntries(goals.map(([kind, text]) => [kind, text.replace(/^next /, "")]));

/** An entry of the legend; they stand in the order of the lanes. */
function swatch(kind, name) {
  return html("span", {}, svg("svg", { viewBox: "0 0 4 12", "aria-hidden": "true" }, svg("path", { class: roleClass(kind), d: "M2 0v12" })), name);
}
