/** Under the trees: the board of the selected node, where its position stands in each tree, and the first difference. */
import { all, html } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { grouped } from "../shared/numbers.js";
import { mount as mountPosition } from "../explorer/position.js";

/** Mount that; the model has `position`, `alike`, `difference` and `about`. */
export function mount(element, model) {
  const board = html("div", { class: "sokoviz-compare-position" });
  const places = html("dl");
  const title = model.get("about").has_positions ? "The same position" : "The same line of moves";
  const where = html("section", { class: "sokoviz-compare-where" }, html("h4", {}, title), places);
  const parting = html("section", { class: "sokoviz-compare-parting" });
  element.append(board, where, parting);
  const find = () => places.replaceChildren(...entries(model.get("alike")));
  const part = () => parting.replaceChildren(...tellDifference(model.get("difference")));
  find();
  part();
  return all(
    mountPosition(board, model),
    follow(model, ["alike"], find),
    follow(model, ["difference"], part),
    () => [board, where, parting].forEach((each) => each.remove()),
  );
}

/** Names and what is said of each. */
function entries(pairs) {
  return pairs.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)]);
}

function tellDifference({ iteration, phase, told }) {
  if (!iteration) return [html("h4", {}, "First difference"), html("p", {}, "None so far: the searches do the same in all iterations that they share.")];
  return [html("h4", {}, `First difference: iteration ${grouped(iteration)}, ${phase}`), html("dl", {}, ...entries(told))];
}
