/** The row of tools around a tree: how much is drawn, find, filters, view and pictures. */
import { all, html, listen, setText } from "../shared/dom.js";
import { counted, grouped } from "../shared/numbers.js";
import { savePages } from "../shared/save.js";

/**
 * Mount the row under a tree.
 *
 * @param actions {reset, save}: functions for the buttons that do not concern the model
 * @returns {cleanup, update}: `update(frame)` after a new frame
 */
export function mountTools(element, model, actions) {
  const count = html("span", { class: "sokoviz-tree-count" });
  const filters = [["max_depth", "Deepest shown", "depth ≤"], ["min_visits", "Fewest visits shown", "visits ≥"]];
  const fields = [findField(model), ...(model.get("tree")?.kinds ? [] : filters.map((filter) => filterField(model, ...filter)))];
  const reset = button("Reset view", "Show the whole tree again (0, or double click)", actions.reset);
  const saves = ["SVG", "PNG"].map((format) => saveButton(format, () => actions.save(format.toLowerCase())));
  const page = model.get("about")?.exports && !model.isAlone ? [exportButton(model)] : [];
  const end = html("span", { class: "sokoviz-tree-end" }, reset, ...saves, ...page);
  const row = html("div", { class: "sokoviz-tree-tools" }, count, ...fields.map((field) => field.element), end);
  element.append(row);
  return {
    update: ({ nDrawn, nNodes }) => setText(count, `${grouped(nDrawn)} of ${counted(nNodes, "node")}`),
    cleanup: all(...fields.map((field) => field.cleanup), page.length ? savePages(model) : () => {}, () => row.remove()),
  };
}

/** A button over the tree that folds again what was unfolded; it is there only if something was. */
export function makeFoldButton(element, model) {
  const made = button("Fold all", "Fold all parts again that were unfolded", () => model.send({ kind: "fold" }));
  made.classList.add("sokoviz-tree-fold");
  made.hidden = true;
  element.append(made);
  return made;
}

function button(label, tooltip, onClick) {
  const made = html("button", { type: "button", class: "sokoviz-button", title: tooltip }, label);
  made.addEventListener("click", onClick);
  return made;
}

function saveButton(format, onClick) {
  const made = button(format, `Save the tree as it is shown, as ${format}`, onClick);
  made.setAttribute("aria-label", `Save ${format}`);
  return made;
}

/** A button that asks Python for a page; how far that is, and what came of it, is told beside the slider. */
function exportButton(model) {
  const made = button("Page", "Save a page in which the search still steps, without Python and without network", () => model.send({ kind: "export" }));
  made.setAttribute("aria-label", "Export page");
  return made;
}

/** A field with a word before it; its accessible name says more. */
function labelled(word, input) {
  return html("label", { class: "sokoviz-tree-field" }, html("span", { "aria-hidden": "true" }, word), input);
}

function findField(model) {
  const attributes = { type: "text", inputmode: "numeric", placeholder: "#", autocomplete: "off" };
  const input = html("input", { ...attributes, "aria-label": "Find node", title: "Number of a node; Enter finds it (F)" });
  const off = listen(input, "keydown", (event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    model.send({ kind: "find", text: input.value.trim() });
    input.select();
  });
  return { element: labelled("find", input), cleanup: off };
}

/** A whole number that limits what is drawn; empty and 0 mean no limit. */
function filterField(model, trait, name, word) {
  const attributes = { type: "number", min: 0, step: 1, placeholder: "all", disabled: Boolean(model.isAlone) };
  const title = model.isAlone ? `${name}: to filter a recorded tree takes Python` : `${name}; empty for all`;
  const input = html("input", { ...attributes, "aria-label": name, title });
  const update = () => {
    const value = model.get(trait);
    if (document.activeElement !== input || Number(input.value) !== value) input.value = value > 0 ? value : "";
  };
  const change = () => model.set(trait, Math.max(Math.trunc(Number(input.value)) || 0, 0));
  update();
  return { element: labelled(word, input), cleanup: all(model.on(trait, update), listen(input, "change", change)) };
}
