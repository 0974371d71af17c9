/** Buttons of the explorer: each has its exact name and a tooltip with its key, and says when it waits for an answer. */
import { all, html, icon, listen, setAttribute, setText } from "./dom.js";
import { KEY_OF } from "../explorer/explorer_keys.js";
import { follow } from "./model.js";

/**
 * A button; after a click with a pointer the keys go to the explorer again.
 *
 * @param name its accessible name
 * @param what says what it does, for the tooltip
 * @param content icons and words
 */
export function makeButton(name, what, content, onClick) {
  const made = html("button", { type: "button", class: "sokoviz-button" }, ...content);
  nameButton(made, name, what);
  made.addEventListener("click", (event) => {
    if (made.getAttribute("aria-disabled") === "true") return;
    onClick(made);
    if (event.detail > 0) focusExplorer(made); // 0 for clicks by key
  });
  return made;
}

/** Let the explorer have the keys again that a control in it has had. */
export function focusExplorer(control) {
  control.closest(".sokoviz-explorer")?.focus({ preventScroll: true });
}

/** Let a list or a slider give the keys back once it has been set with a pointer; returns what stops that. */
export function giveKeysBack(control) {
  let isPointed = false;
  const note = (event) => { isPointed = event.type === "pointerdown"; };
  const changed = () => {
    if (isPointed) focusExplorer(control);
    isPointed = false;
  };
  return all(listen(control, "pointerdown", note), listen(control, "keydown", note), listen(control, "change", changed));
}

/** Let a button do nothing, and say why in place of what it does; or let it do that again. */
export function disable(made, isDisabled, why) {
  if (isDisabled === (made.getAttribute("aria-disabled") === "true")) return;
  if (isDisabled) {
    made.dataset.what = made.title;
    made.setAttribute("aria-disabled", "true");
  } else made.removeAttribute("aria-disabled");
  made.title = isDisabled ? why : made.dataset.what;
}

/** The key of a button, small beside its words. */
export function keyCap(key) {
  return html("kbd", { "aria-hidden": "true" }, key);
}

/** Give a button its name and its tooltip. */
export function nameButton(made, name, what) {
  setAttribute(made, "aria-label", name);
  setAttribute(made, "title", KEY_OF[name] ? `${what} (${KEY_OF[name]})` : what);
}

/** A button with two states, such as Play and Pause, as wide in the one as in the other; `extra` stands after the words. */
export function makeSwitch(states, onClick, ...extra) {
  const place = html("span", { class: "sokoviz-place" });
  const words = html("span");
  const made = makeButton(states[0].name, states[0].what, [place, words, ...extra], onClick);
  made.classList.add("sokoviz-switch");
  let shown = null;
  const show = (state) => {
    if (state === shown) return;
    shown = state;
    nameButton(made, state.name, state.what);
    place.replaceChildren(icon(state.icon));
    setText(words, state.words ?? state.name);
  };
  show(states[0]);
  return { element: made, show: (index) => show(states[index]) };
}

/**
 * Marks buttons that were pressed until Python has answered, which may take a while when it compiles.
 *
 * @returns `mark(button)` and `cleanup`
 */
export function awaitAnswers(model) {
  const waiting = new Set();
  const settle = () => {
    if (model.get("record").busy) return;
    for (const button of waiting) button.removeAttribute("data-waiting");
    waiting.clear();
  };
  const mark = (button) => {
    waiting.add(button);
    button.setAttribute("data-waiting", "");
  };
  return { mark, cleanup: follow(model, ["iteration", "phase", "tree", "record", "trouble"], settle) };
}
