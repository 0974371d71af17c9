/** The transport: step and back, play with its speed, run to an iteration or an event, and how far that is. */
import { awaitAnswers, disable, giveKeysBack, keyCap, makeButton, makeSwitch } from "../shared/buttons.js";
import { all, html, icon, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { mount as mountTimeline } from "./timeline.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];
const FEWEST = 100; // iterations that are worth a run

/** What the button that plays is called, at rest and at work. */
export const PLAY = [
  { name: "Play", what: "Play step by step", icon: "play" },
  { name: "Pause", what: "Stop playing", icon: "pause" },
];
/** Likewise the one that runs. */
export const RUN = [
  { name: "Run", what: "Search up to the iteration or event chosen", icon: "fastForward" },
  { name: "Stop", what: "Stop the search; what it has found stays", icon: "stop" },
];
/** On a page without a kernel nothing is searched. */
const RECORDED = [{ ...RUN[0], what: "Go to the iteration or event chosen, among those that are recorded" }, RUN[1]];
const ENDED = "The recording ends here: to search on takes Python";

/** Mount the transport; the model has `iteration`, `phase`, `record`, `about`, `playing`, `play_unit` and `speed`. */
export function mount(element, model) {
  const answers = awaitAnswers(model);
  return layOut(element, model, [stepButtons(model, answers), playGroup(model), runGroup(model, answers)], answers);
}

/** Groups of buttons in a row, and under them the slider over all iterations and how far a run is. */
export function layOut(element, model, parts, answers) {
  const row = html("div", { class: "sokoviz-row sokoviz-buttons" }, ...parts.map((part) => part.element));
  const lower = html("div", { class: "sokoviz-timeline" });
  const box = html("div", { class: "sokoviz-transport" }, row, lower);
  element.append(box);
  const cleanups = [mountTimeline(lower, model), mountProgress(lower, model)];
  return all(...parts.map((part) => part.cleanup), ...cleanups, answers.cleanup, () => box.remove());
}

/** Whether an iteration has phases to be shown one by one. */
const hasPhases = (model) => model.get("about").phases !== false;

// --- step and back --------------------------------------------------------------------------------------------------

/** What is done by hand ends what is being played. */
function sendByHand(model, message) {
  if (model.get("playing")) model.set("playing", false);
  model.send(message);
}

/** Two buttons a unit. Those that lead back have nothing to do at the bare root; the others search on. */
function stepButtons(model, answers) {
  const make = (name, what, content, unit, direction) =>
    makeButton(name, what, content, (button) => {
      answers.mark(button);
      sendByHand(model, { kind: "step", unit, direction });
    });
  const { backs, steps } = hasPhases(model) ? {
    backs: [
      make("Back iteration", "Back by one iteration", [icon("fastBack"), "iteration"], "iteration", -1),
      make("Back phase", "Back by one phase", [icon("back"), "phase"], "phase", -1),
    ],
    steps: [
      make("Step phase", "Do the next phase", ["phase", icon("play"), keyCap("→")], "phase", 1),
      make("Step iteration", "Do a whole iteration", ["iteration", icon("fastForward"), keyCap("⇧→")], "iteration", 1),
    ],
  } : {
    backs: [make("Back iteration", "Back by one step", [icon("back"), "back"], "iteration", -1)],
    steps: [make("Step iteration", "Expand one more position", ["step", icon("play"), keyCap("→")], "iteration", 1)],
  };
  steps[0].classList.add("sokoviz-primary");
  const update = () => {
    const isAtStart = model.get("iteration") === 0 && model.get("phase") === "";
    for (const back of backs) setAttribute(back, "aria-disabled", isAtStart);
    for (const step of steps) disable(step, Boolean(model.get("record").ends), ENDED);
  };
  update();
  const element = html("div", { class: "sokoviz-row", role: "group", "aria-label": "Steps" }, ...backs, ...steps);
  return { element, cleanup: follow(model, ["iteration", "phase", "record"], update) };
}

// --- play -----------------------------------------------------------------------------------------------------------

/** Play, by what, and how fast. */
function playGroup(model) {
  const play = makeSwitch(PLAY, () => model.set("playing", !model.get("playing")), keyCap("space"));
  const unit = html("select", { "aria-label": "Play by", title: "What one step of playing is" });
  unit.append(...["phase", "iteration"].map((value) => html("option", { value }, `by ${value}`)));
  const speed = html("select", { "aria-label": "Speed", title: "Steps a second" });
  const update = () => {
    play.show(model.get("playing") ? 1 : 0);
    unit.value = model.get("play_unit");
    showSpeed(speed, model.get("speed"));
  };
  update();
  const element = html("div", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Playing" }, play.element, ...(hasPhases(model) ? [unit] : []), speed);
  const cleanup = all(
    follow(model, ["playing", "play_unit", "speed"], update),
    listen(unit, "change", () => model.set("play_unit", unit.value)),
    listen(speed, "change", () => model.set("speed", Number(speed.value))),
    giveKeysBack(unit),
    giveKeysBack(speed),
  );
  return { element, cleanup };
}

/** Offer the speeds, and the chosen one where Python chose one of its own. */
export function showSpeed(list, chosen) {
  const speeds = [...new Set([...SPEEDS, chosen])].sort((a, b) => a - b);
  const isShown = list.options.length === speeds.length && [...list.options].some((option) => Number(option.value) === chosen);
  if (!isShown) list.replaceChildren(...speeds.map((value) => html("option", { value }, `${value} / s`)));
  list.value = chosen;
}

// --- run ------------------------------------------------------------------------------------------------------------

/** Run to an iteration or an event; the number keeps its room where an event is chosen. */
function runGroup(model, answers) {
  const list = html("select", { "aria-label": "Run to", title: "Where a run ends" });
  const number = html("input", { type: "number", min: 1, step: 1, "aria-label": "Run to iteration", title: "The iteration to run to" });
  let typed = null; // what the reader typed, until the search has got there
  const fill = () => {
    list.replaceChildren(...model.get("about").run_to.map(([value, text]) => html("option", { value }, text)));
  };
  const update = () => {
    const { last, running } = model.get("record");
    if (typed !== null && typed <= last) typed = null;
    if (document.activeElement !== number && typed === null) number.value = model.isAlone ? last : roundAbove(last);
    number.classList.toggle("sokoviz-away", list.value !== "iteration");
    setAttribute(previous, "aria-disabled", list.value === "iteration" || running);
    button.show(running ? 1 : 0);
  };
  const run = () => {
    if (model.get("record").running) return model.send({ kind: "stop" });
    const value = list.value === "iteration" ? readNumber(number) : null;
    if (Number.isNaN(value)) return undefined;
    if (value !== model.get("iteration")) answers.mark(button.element); // nothing changes where it is there already
    return sendByHand(model, { kind: "run", to: list.value, value });
  };
  const button = makeSwitch(model.isAlone ? RECORDED : RUN, run);
  const previous = makeButton("Previous event", "Back to the event of this kind before", [icon("fastBack")], () => {
    answers.mark(previous);
    sendByHand(model, { kind: "previous", to: list.value });
  });
  fill();
  update();
  const caption = html("span", { class: "sokoviz-caption-before", "aria-hidden": "true" }, "run to");
  const element = html("div", { class: "sokoviz-row sokoviz-run", role: "group", "aria-label": "Running" }, caption, list, number, previous, button.element);
  const cleanup = all(
    follow(model, ["record"], update),
    follow(model, ["about"], () => { fill(); update(); }),
    listen(list, "change", update),
    giveKeysBack(list),
    listen(number, "input", () => { typed = readNumber(number) || null; }),
    listen(number, "keydown", (event) => { if (event.key === "Enter") button.element.click(); }),
  );
  return { element, cleanup };
}

/** The number in a field; NaN, and said so, where it is none to run to. */
export function readNumber(field) {
  const value = field.value === "" ? NaN : Number(field.value);
  const isGood = Number.isInteger(value) && value >= 1;
  setAttribute(field, "aria-invalid", !isGood);
  return isGood ? value : NaN;
}

/** The next of 100, 200, 500, 1000, ... above a number. */
export function roundAbove(number) {
  for (let unit = FEWEST; ; unit *= 10) {
    const found = [1, 2, 5].find((factor) => factor * unit > number);
    if (found) return found * unit;
  }
}

/** Mount the line that says how far a run is, or what is being compiled; it keeps its room when all is quiet. */
function mountProgress(element, model) {
  const text = html("span", { class: "sokoviz-progress-text" });
  const bar = html("div", { class: "sokoviz-progress-bar" });
  const track = html("div", { class: "sokoviz-progress-track", role: "progressbar", "aria-label": "Progress", "aria-valuemin": 0, "aria-valuemax": 100 }, bar);
  const box = html("div", { class: "sokoviz-progress" }, text, track);
  const update = () => {
    const { running, busy, share, text: words } = model.get("record");
    const isOpen = share === null;
    setText(text, words);
    setAttribute(text, "title", words);
    track.classList.toggle("sokoviz-away", !running && !busy);
    bar.classList.toggle("sokoviz-open", isOpen);
    bar.style.width = isOpen ? "" : `${100 * Math.min(Math.max(share, 0), 1)}%`;
    setAttribute(track, "aria-valuetext", words);
    if (isOpen) track.removeAttribute("aria-valuenow");
    else setAttribute(track, "aria-valuenow", Math.round(100 * share));
  };
  update();
  element.append(box);
  return all(follow(model, ["record"], update), () => box.remove());
}
