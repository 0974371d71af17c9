/** The clock of a comparison: step and back, play, where the searches differ, the next event, and running on. */
import { awaitAnswers, giveKeysBack, keyCap, makeButton, makeSwitch } from "../shared/buttons.js";
import { all, html, icon, listen, setAttribute } from "../shared/dom.js";
import { layOut, PLAY, readNumber, RUN, showSpeed } from "../explorer/transport.js";
import { follow } from "../shared/model.js";

const MORE = 1000; // iterations that are offered

/** Mount the clock; the model has `iteration`, `record`, `about`, `playing`, `speed`, `ticks` and `difference`. */
export function mount(element, model) {
  const answers = awaitAnswers(model);
  const ask = (button, message) => {
    answers.mark(button);
    if (model.get("playing")) model.set("playing", false);
    model.send(message);
  };
  const parts = [stepButtons(model, ask), playGroup(model), jumpGroup(model, ask), runGroup(model, ask)];
  return layOut(element, model, parts, answers);
}

/** Back has nothing to do at the start; a step at the end searches on. */
function stepButtons(model, ask) {
  const make = (name, what, content, direction) =>
    makeButton(name, what, content, (button) => ask(button, { kind: "step", direction }));
  const back = make("Back", "Back by one iteration", [icon("back"), "back"], -1);
  const step = make("Step", "One more iteration of every search", ["step", icon("play"), keyCap("→")], 1);
  step.classList.add("sokoviz-primary");
  const update = () => setAttribute(back, "aria-disabled", model.get("iteration") === 0);
  update();
  const element = html("div", { class: "sokoviz-row", role: "group", "aria-label": "Steps" }, back, step);
  return { element, cleanup: follow(model, ["iteration"], update) };
}

function playGroup(model) {
  const play = makeSwitch(PLAY, () => model.set("playing", !model.get("playing")), keyCap("space"));
  const speed = html("select", { "aria-label": "Speed", title: "Iterations a second" });
  const update = () => {
    play.show(model.get("playing") ? 1 : 0);
    showSpeed(speed, model.get("speed"));
  };
  update();
  const element = html("div", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Playing" }, play.element, speed);
  const change = listen(speed, "change", () => model.set("speed", Number(speed.value)));
  return { element, cleanup: all(follow(model, ["playing", "speed"], update), change, giveKeysBack(speed)) };
}

/** To where the searches part ways, and to the next event in any of them. */
function jumpGroup(model, ask) {
  const difference = makeButton("First difference", "Go to the first iteration in which the searches differ", ["first difference", keyCap("D")], (button) => ask(button, { kind: "difference" }));
  const events = model.get("about").run_to.filter(([kind]) => kind !== "difference");
  const list = html("select", { "aria-label": "Event", title: "What to look for, in any of the searches" }, ...events.map(([value, text]) => html("option", { value }, text)));
  const next = makeButton("Next event", "Go to the next such event in any of the searches", [icon("play"), keyCap("N")], (button) => ask(button, { kind: "event", event: list.value }));
  const joined = html("div", { class: "sokoviz-row sokoviz-joined" }, list, next);
  const element = html("div", { class: "sokoviz-row", role: "group", "aria-label": "Jumps" }, difference, joined);
  const update = () => setAttribute(difference, "aria-disabled", !model.get("difference")?.iteration);
  update();
  return { element, cleanup: all(follow(model, ["difference"], update), giveKeysBack(list)) };
}

/** So many more iterations of every search that has not ended. */
function runGroup(model, ask) {
  const number = html("input", { type: "number", min: 1, step: 1, value: MORE, "aria-label": "More iterations", title: "How many more iterations to run every search that has not ended" });
  const run = () => {
    if (model.get("record").running) return model.send({ kind: "stop" });
    const iterations = readNumber(number);
    return Number.isNaN(iterations) ? undefined : ask(button.element, { kind: "run", iterations });
  };
  const button = makeSwitch(RUN.map((state) => ({ ...state, what: state.name === "Run" ? "Run all searches on" : state.what })), run);
  const update = () => button.show(model.get("record").running ? 1 : 0);
  update();
  const caption = html("span", { class: "sokoviz-caption-before", "aria-hidden": "true" }, "more iterations");
  const element = html("div", { class: "sokoviz-row sokoviz-run", role: "group", "aria-label": "Running" }, caption, number, button.element);
  const enter = listen(number, "keydown", (event) => { if (event.key === "Enter") button.element.click(); });
  return { element, cleanup: all(follow(model, ["record"], update), enter) };
}
