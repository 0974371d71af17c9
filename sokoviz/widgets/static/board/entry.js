/** The entry part: a level of one's own and a move string, pasted as text; what is wrong is said under it. */
import { all, html, listen, setText } from "../shared/dom.js";

/** Mount the entry; the model has `scene` and `entry`, the answer to what was sent last. */
export function mount(element, model) {
  const level = field("textarea", "Level text", "Load level", { rows: 7, placeholder: "#####\n#@$.#\n#####" });
  const moves = field("input", "Move string", "Load moves", { placeholder: "rrUUl or 2r2Ul" });
  const content = html("div", { class: "sokoviz-entry" }, ...level.elements, ...moves.elements);
  const summary = html("summary", { title: "Paste a level or moves, or copy those of this board" }, "Level and moves as text");
  const details = html("details", {}, summary, content);
  const offs = [connect(level, "level", model), connect(moves, "moves", model)];
  const fill = () => {
    if (!details.open) return;
    if (!level.input.value) level.input.value = model.get("position");
    // What someone is typing is never overwritten.
    if (!moves.isTouched()) moves.input.value = model.get("moves");
  };
  element.append(details);
  return all(...offs, listen(details, "toggle", fill), model.on("moves", fill), () => details.remove());
}

/** A labelled text field with its button and its line for errors. */
function field(tag, label, action, attributes) {
  const input = html(tag, { "aria-label": label, spellcheck: "false", autocomplete: "off", ...attributes });
  const load = html("button", { type: "button", class: "sokoviz-button" }, action);
  const error = html("p", { class: "sokoviz-error", role: "alert" });
  let touched = false;
  input.addEventListener("input", () => { touched = true; });
  const caption = html("span", { class: "sokoviz-caption", "aria-hidden": "true" }, label);
  const elements = [caption, input, error, html("div", { class: "sokoviz-row" }, load)];
  return { input, load, error, elements, isTouched: () => touched, settle: () => { touched = false; } };
}

/** Send a field's text, and show the answer beside it. */
function connect({ input, load, error, settle }, what, model) {
  const send = () => model.send({ kind: "load", what, text: input.value });
  const answer = () => {
    const { what: about, error: message, start, end } = model.get("entry");
    if (about !== what) return setText(error, "");
    setText(error, message);
    if (!message) return settle();
    if (start !== null && input.isConnected && input.value) input.setSelectionRange(start, end);
    return undefined;
  };
  const byKey = (event) => {
    if (event.key === "Enter" && (what === "moves" || event.ctrlKey || event.metaKey)) send();
  };
  return all(listen(load, "click", send), listen(input, "keydown", byKey), model.on("entry", answer));
}
