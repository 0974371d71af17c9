/** The help part: all keys and what the pointer does, folded away. */
import { html } from "../shared/dom.js";
import { HELP } from "./keys.js";

/** Mount the help; nothing in it depends on the model. */
export function mount(element) {
  const rows = HELP.map(([keys, action]) => html("li", {}, html("b", {}, keys), html("span", {}, action)));
  const list = html("ul", { class: "sokoviz-help" }, ...rows);
  const details = html("details", {}, html("summary", {}, "Keys and pointer"), list);
  element.append(details);
  return () => details.remove();
}
