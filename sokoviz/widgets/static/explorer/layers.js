/** What the board is drawn with beside its pieces: a switch for each layer that the game has. */
import { makeButton } from "../shared/buttons.js";
import { all, html, setAttribute } from "../shared/dom.js";
import { follow } from "../shared/model.js";

/** Layers by the trait that switches them: the words on the switch, and what it shows. */
const LAYERS = {
  component: ["reach", "Tint the squares that the player can reach"],
  pushes: ["pushes", "An arrow for each legal push"],
  matching: ["matching", "Join each box with the goal that the reward gives it; the sum of the distances is minus the reward"],
};

/** Mount the switches; the model has `about` with the names of the layers, and a trait of each name. */
export function mount(element, model) {
  const buttons = Object.entries(LAYERS).map(([trait, [word, what]]) => ({
    trait,
    button: makeButton(`Show ${word}`, what, [word], () => model.set(trait, !model.get(trait))),
  }));
  const row = html("div", { class: "sokoviz-layers", role: "group", "aria-label": "What the board shows" }, ...buttons.map((each) => each.button));
  const update = () => {
    const layers = model.get("about").layers ?? [];
    const isBare = Boolean(model.get("solution")?.shown); // while the solution is shown, the board has the pieces alone
    row.hidden = !layers.length;
    for (const { trait, button } of buttons) {
      button.hidden = !layers.includes(trait);
      setAttribute(button, "aria-pressed", !isBare && Boolean(model.get(trait)));
      setAttribute(button, "aria-disabled", isBare);
    }
  };
  update();
  element.append(row);
  return all(follow(model, ["about", "solution", ...Object.keys(LAYERS)], update), () => row.remove());
}
