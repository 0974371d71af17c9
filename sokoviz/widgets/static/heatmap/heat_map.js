/** One heatmap of the position at hand: from where, or to where, the episodes would move a box. */
import { all, html } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";
import { heatOverlay, makeScale, percent, sharesOf } from "./heat_scale.js";
import { indexOfSquares, makeSheet, squareName } from "./sheet.js";

const TITLES = {
  sources: ["Move a box from", "How many episodes would move a box from each square, whether a box stands there or not"],
  targets: ["Move a box to", "How many episodes would move a box to each square, whether that can be done now or not"],
};
const MOST_SAID = 5;

/** Mount the heatmap of one kind of squares; the model has `scene`, `heat` and `logarithmic`. */
export function mount(element, model, ends) {
  const [title, what] = TITLES[ends];
  const sheet = makeSheet(model.get("scene").picture);
  const box = html("figure", { class: "sokoviz-heat", "data-ends": ends }, html("figcaption", { title: what }, title), sheet.element);
  const update = () => {
    const picture = { ...model.get("scene").picture, overlays: [] };
    const heat = model.get("heat");
    if (!heat.squares) return sheet.show(picture, `${title}: not known yet`);
    return showHeat(sheet, picture, heat, ends, title, model.get("logarithmic"));
  };
  element.append(box);
  update();
  return all(follow(model, ["scene", "heat", "logarithmic"], update), sheet.cleanup, () => box.remove());
}

function showHeat(sheet, picture, heat, ends, title, isLogarithmic) {
  const shares = sharesOf(heat, ends);
  const scale = makeScale([shares], [heat], isLogarithmic);
  const overlay = heatOverlay(heat.squares, shares, scale, `share of ${counted(heat.n_votes, "vote")}`);
  const indexOf = indexOfSquares(heat.squares);
  const tell = (row, column) => {
    const index = indexOf(row, column);
    return index === undefined ? null : tellVotes(squareName(picture, [row, column]), heat[ends][index], heat.n_votes);
  };
  sheet.show({ ...picture, overlays: [overlay] }, `${title}: ${summary(picture, heat, ends)}`, tell);
}

/** The votes of a square in words. */
export function tellVotes(name, count, total) {
  return `${name}: ${count} of ${counted(total, "vote")} · ${percent(count / Math.max(total, 1))}`;
}

/** The squares with most votes, for people who hear a heatmap instead of seeing it. */
export function summary(picture, heat, ends) {
  const order = heat[ends].map((count, index) => [count, index]).filter(([count]) => count).sort((one, other) => other[0] - one[0]);
  const said = order.slice(0, MOST_SAID).map(([count, index]) => `${squareName(picture, heat.squares[index])} ${percent(count / heat.n_votes)}`);
  return said.length ? said.join(", ") : "no votes";
}
