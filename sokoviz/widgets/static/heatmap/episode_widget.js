/** One episode to step and play through. */
import { all, html, listen, whenInPage } from "../shared/dom.js";
import { adapt } from "../shared/model.js";
import { mount as mountTrouble } from "../shared/trouble.js";
import { mount as mountEpisode } from "./heat_episode.js";

/** Mount the player. */
export function mount(element, model) {
  const attributes = { class: "sokoviz sokoviz-explorer sokoviz-heatmap sokoviz-episode-alone", tabindex: -1, "data-lm-suppress-shortcuts": "true", "aria-label": model.get("strip").text };
  const root = html("section", attributes);
  element.append(root);
  const stopKeys = (event) => event.stopPropagation();
  const parts = whenInPage(root, () => all(mountEpisode(root, model), mountTrouble(root, model)));
  return all(parts, listen(root, "keydown", stopKeys), listen(root, "keyup", stopKeys), () => root.remove());
}

export default { render: ({ model, el }) => mount(el, adapt(model)) };
