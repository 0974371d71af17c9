/** The title with its counts, and the line that says what is going on; it keeps its room when it has nothing to say. */
import { all, html, setAttribute, setText } from "../shared/dom.js";

/** Mount the title line. */
export function mountTitle(element, model) {
  const title = html("strong", { class: "sokoviz-title" });
  const author = html("span", { class: "sokoviz-author" });
  const counts = html("span", { class: "sokoviz-counts" });
  const line = html("div", { class: "sokoviz-head" }, title, author, counts);
  const update = () => {
    const scene = model.get("scene");
    setText(title, scene.title);
    setText(author, scene.author);
    setText(counts, scene.counts);
  };
  update();
  element.append(line);
  return all(model.on("scene", update), () => line.remove());
}

/** Mount the status line: hint, warning, or the news that the level is solved. */
export function mountStatus(element, model) {
  const line = html("div", { class: "sokoviz-status", role: "status", "aria-live": "polite" });
  let drawn = "";
  const update = () => {
    const { kind, lead, text } = model.get("scene").status;
    setAttribute(line, "data-kind", kind);
    if (drawn === lead + text) return;
    drawn = lead + text;
    line.replaceChildren(...(lead ? [html("strong", {}, lead), " "] : []), text);
  };
  update();
  element.append(line);
  return all(model.on("scene", update), () => line.remove());
}
