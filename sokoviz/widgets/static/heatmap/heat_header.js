/** The line above heatmaps: what was learned, of which level, and what is shown of it. */
import { all, html, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";

/**
 * Mount the line; the model has `about`.
 *
 * @param traits what the right end of the line depends on
 * @param describe gives its words: [lead, strong words, rest, tooltip]
 */
export function mount(element, model, traits, describe) {
  const [title, game, settings] = ["title", "game", "settings"].map((name) => html("span", { class: `sokoviz-${name}` }));
  const [lead, strong, rest] = [html("span"), html("strong"), html("span")];
  const where = html("span", { class: "sokoviz-where" }, lead, strong, rest);
  const line = html("div", { class: "sokoviz-headline" }, title, game, settings, where);
  const update = () => {
    const about = model.get("about");
    for (const [part, text] of [[title, about.title], [game, about.game], [settings, about.settings]]) {
      setText(part, text);
      setAttribute(part, "title", text);
    }
    const [before, middle, after, tooltip = ""] = describe();
    setText(lead, before);
    setText(strong, middle);
    setText(rest, after);
    setAttribute(where, "title", tooltip);
  };
  update();
  element.append(line);
  return all(follow(model, ["about", ...traits], update), () => line.remove());
}
