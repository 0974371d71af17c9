/** Shows what went wrong in Python while it answered: such an exception would be lost otherwise. */
import { all, html, listen } from "./dom.js";

/** Mount the panel; the model has `trouble`: {summary, details}, with an empty summary where all is well. */
export function mount(element, model) {
  const panel = html("div", { class: "sokoviz-trouble", role: "alert" });
  const dismiss = html("button", { type: "button", class: "sokoviz-button" }, "Dismiss");
  const update = () => {
    const { summary, details } = model.get("trouble");
    panel.hidden = !summary;
    const trace = html("details", {}, html("summary", {}, "Traceback"), html("pre", {}, details ?? ""));
    panel.replaceChildren(...(summary ? [html("strong", {}, summary), dismiss, trace] : []));
  };
  update();
  element.append(panel);
  const off = listen(dismiss, "click", () => model.send({ kind: "dismiss" }));
  return all(model.on("trouble", update), off, () => panel.remove());
}
