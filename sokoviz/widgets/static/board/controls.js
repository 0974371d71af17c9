/** The controls part: undo and redo, replay with its speed, a slider over the moves, and one toggle an overlay. */
import { all, html, icon, listen, setAttribute } from "../shared/dom.js";
import { KEYS_OF } from "./keys.js";

const SPEEDS = [1, 2, 4, 8, 16, 32];
const TOGGLES = [
  ["component", "Component", "squares that the player can reach without pushing"],
  ["pushes", "Pushes", "an arrow for every push that is possible"],
  ["dead_squares", "Dead squares", "squares from which a box never reaches a goal"],
  ["coordinates", "Coordinates", "letters of columns and rows"],
];

/** Mount the controls; the model has `scene`, `replaying`, `replay_speed` and one flag an overlay. */
export function mount(element, model) {
  const parts = [moveButtons(model), scrubber(model), replayButtons(model), toggles(model)];
  element.append(...parts.map((part) => part.element));
  return all(...parts.map((part) => part.cleanup), () => parts.forEach((part) => part.element.remove()));
}

/** A button that gives the keys back to the board after a click with a pointer. */
function button(label, tooltip, content, onClick) {
  const made = html("button", { type: "button", class: "sokoviz-button", title: tooltip }, ...content, label);
  made.addEventListener("click", (event) => {
    if (made.getAttribute("aria-disabled") === "true") return;
    onClick();
    const board = made.closest(".sokoviz")?.querySelector(".sokoviz-grid");
    if (event.detail > 0) board?.focus({ preventScroll: true }); // detail is 0 for clicks by key
  });
  return made;
}

/** Undo, redo and restart. A button that has nothing to do stays where it is, so that the focus is never lost. */
export function moveButtons(model) {
  const make = (kind, label, what) =>
    button(label, `${what} (${KEYS_OF[kind]})`, [icon(kind)], () => model.send({ kind }));
  const undo = make("undo", "Undo", "Take the last action back");
  const redo = make("redo", "Redo", "Do again what was undone");
  const restart = make("restart", "Restart", "Back to the start; redo and replay still know the moves");
  const update = () => {
    const { n_moves: done, n_total: total } = model.get("scene");
    setAttribute(undo, "aria-disabled", done === 0);
    setAttribute(redo, "aria-disabled", done === total);
    setAttribute(restart, "aria-disabled", done === 0);
  };
  update();
  const element = html("div", { class: "sokoviz-row", role: "group", "aria-label": "Moves" }, undo, redo, restart);
  return { element, cleanup: model.on("scene", update) };
}

/** A slider over all moves, done and undone. */
function scrubber(model) {
  const input = html("input", { type: "range", min: 0, max: 0, "aria-label": "Move", title: "Go to any of the moves" });
  const count = html("span", { class: "sokoviz-count", "aria-hidden": "true" });
  let asked = null; // where the slider was drawn to: answers to earlier requests must not pull it back
  const update = () => {
    const { n_moves: done, n_total: total } = model.get("scene");
    input.max = total;
    if (asked === null || asked.n_moves === done || performance.now() - asked.at > 1000) {
      asked = null;
      input.value = done;
    }
    input.disabled = total === 0;
    setAttribute(input, "aria-valuetext", `move ${done} of ${total}`);
    input.style.setProperty("--sokoviz-share", total ? `${(100 * done) / total}%` : "0%");
    count.textContent = `${done} / ${total}`;
  };
  update();
  const off = listen(input, "input", () => {
    asked = { n_moves: Number(input.value), at: performance.now() };
    model.send({ kind: "seek", n_moves: asked.n_moves });
  });
  return { element: html("div", { class: "sokoviz-row sokoviz-scrubber" }, input, count), cleanup: all(model.on("scene", update), off) };
}

/** Replay and its speed. */
function replayButtons(model) {
  const place = html("span", { class: "sokoviz-place" });
  const tooltip = `Play the moves one by one, or stop (${KEYS_OF.replay})`;
  const replay = button("Replay", tooltip, [place], () => model.send({ kind: "replay" }));
  const speed = html("select", { "aria-label": "Replay speed", title: "Moves a second" });
  const update = () => {
    const playing = model.get("replaying");
    setAttribute(replay, "aria-pressed", playing);
    place.replaceChildren(icon(playing ? "pause" : "play"));
    const chosen = model.get("replay_speed");
    const options = [...new Set([...SPEEDS, chosen])].sort((a, b) => a - b);
    if (speed.options.length !== options.length) {
      speed.replaceChildren(...options.map((value) => html("option", { value }, `${value} / s`)));
    }
    speed.value = chosen;
  };
  update();
  const element = html("div", { class: "sokoviz-row", role: "group", "aria-label": "Replaying" }, replay, speed);
  const cleanup = all(
    model.on("replaying", update),
    model.on("replay_speed", update),
    listen(speed, "change", () => model.set("replay_speed", Number(speed.value))),
  );
  return { element, cleanup };
}

/** One toggle an overlay. */
function toggles(model) {
  const made = TOGGLES.map(([name, label, what]) => {
    const chip = button(label, `${label}: ${what} (${KEYS_OF[name]})`, [], () => model.set(name, !model.get(name)));
    chip.classList.add("sokoviz-chip");
    const update = () => setAttribute(chip, "aria-pressed", Boolean(model.get(name)));
    update();
    return { chip, off: model.on(name, update) };
  });
  const element = html("div", { class: "sokoviz-row sokoviz-chips", role: "group", "aria-label": "Overlays" }, ...made.map((each) => each.chip));
  return { element, cleanup: all(...made.map((each) => each.off)) };
}
