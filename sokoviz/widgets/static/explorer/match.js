/** How a match against the search stands, and what can be done about it; nothing where no match is played. */
import { makeButton } from "../shared/buttons.js";
import { all, html, listen, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";

const BUDGETS = [10, 50, 100, 500, 2000, 10000];

/** Mount the match; the model has `match`, which is empty where there is none, and `budget`. */
export function mount(element, model) {
  const text = html("strong", { role: "status", "aria-live": "polite" });
  const send = (kind) => () => model.send({ kind });
  const show = makeButton("Show the match", "Put the position of the match on the board", ["show"], send("show_match"));
  const back = makeButton("Take back", "Take back your last move and the answer to it", ["take back"], send("take_back"));
  const again = makeButton("New game", "Begin again with the same sides", ["new game"], send("new_game"));
  const sides = makeButton("Switch sides", "Begin again with the other side", ["switch sides"], send("switch_sides"));
  const budget = html("select", { "aria-label": "Iterations a move", title: "Iterations that the search may use for a move" });
  const panel = html("div", { class: "sokoviz-match", role: "group", "aria-label": "Match" }, text, show, back, again, sides, budget);
  const update = () => {
    const match = model.get("match");
    panel.hidden = !match?.text;
    if (panel.hidden) return;
    setText(text, match.text);
    setAttribute(panel, "data-mine", Boolean(match.mine));
    setAttribute(back, "aria-disabled", !match.back);
    const chosen = model.get("budget");
    const values = [...new Set([...BUDGETS, chosen])].sort((a, b) => a - b);
    if (budget.options.length !== values.length) {
      budget.replaceChildren(...values.map((value) => html("option", { value }, `${value} iterations`)));
    }
    budget.value = chosen;
  };
  update();
  element.append(panel);
  const off = listen(budget, "change", () => model.set("budget", Number(budget.value)));
  return all(off, follow(model, ["match", "budget"], update), () => panel.remove());
}
