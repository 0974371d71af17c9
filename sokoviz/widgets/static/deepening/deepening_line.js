/** The line from the start to the selected node, move by move; a click selects the position after a move. */
import { focusExplorer } from "../shared/buttons.js";
import { all, html, listen, setAttribute } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";

/** Mount the line; the model has `line` and `node`. */
export function mount(element, model) {
  const title = html("strong");
  const list = html("ol", { "aria-label": "Line of moves" });
  const box = html("div", { class: "sokoviz-moves-line" }, title, list);
  element.append(box);
  let drawn = "";
  const update = () => {
    const { root, moves, current } = model.get("line");
    const pushes = moves.reduce((sum, move) => sum + move.pushes, 0);
    title.textContent = `Line: ${counted(moves.length, "move")}, ${counted(pushes, "push", "pushes")}`;
    const entries = [{ node: root, text: "start", pushes: 1 }, ...moves];
    const key = JSON.stringify([entries, current]);
    if (key !== drawn) list.replaceChildren(...entries.map((entry) => itemOf(entry, current)));
    drawn = key;
    const selected = String(model.get("node"));
    for (const button of list.querySelectorAll("button")) setAttribute(button, "aria-pressed", button.dataset.node === selected);
    list.scrollTop = list.scrollHeight;
  };
  update();
  const click = (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    model.send({ kind: "select", node: Number(button.dataset.node) });
    if (event.detail > 0) focusExplorer(box);
  };
  return all(follow(model, ["line", "node"], update), listen(list, "click", click), () => box.remove());
}

/** A move; a macro says how many pushes it takes, and what the search is not at work on is written softly. */
function itemOf({ node, text, pushes }, current) {
  const times = pushes > 1 ? [html("small", {}, `×${pushes}`)] : [];
  const button = html("button", { type: "button", "data-node": node, title: counted(pushes, "push", "pushes") }, text, ...times);
  return html("li", { class: current.includes(node) ? "" : "sokoviz-aside" }, button);
}
