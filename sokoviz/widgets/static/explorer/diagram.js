/** The state diagram of an iteration (thesis, figure 3.2), with the state lit that the search is in. */
import { all, html, setAttribute, svg } from "../shared/dom.js";
import { follow } from "../shared/model.js";

const BOX_HEIGHT = 26;

/** States: middle, width, and the words in the box. */
const STATES = {
  start: { x: 10, y: 24, title: "start" },
  select: { x: 72, y: 24, width: 58, lines: ["select"], phase: "selection", title: "choose a leaf" },
  visited: { x: 160, y: 24, width: 82, lines: ["visited", "before?"], title: "has the leaf been visited before?" },
  expand: { x: 261, y: 24, width: 56, lines: ["expand"], phase: "expansion", title: "add the leaf's children, go to one of them" },
  simulate: { x: 160, y: 96, width: 62, lines: ["simulate"], phase: "simulation", title: "play to the end; where it is over, score it" },
  backpropagate: { x: 72, y: 96, width: 90, lines: ["backpropagate"], phase: "backpropagation", title: "pass the outcome up to the root" },
  done: { x: 10, y: 96, title: "iteration done" },
};

/** What searches have beside that in which nodes are eliminated (4.2.3): the state, and the ways to it and on. */
const MORE_STATES = {
  eliminate: { x: 72, y: 132, width: 68, lines: ["eliminate"], phase: "elimination", title: "take out a dead node, then each parent left without children" },
};
const MORE_WAYS = [
  ["M72 110V118", null],
  ["M279 38V132H107", "childless"],
  ["M37 132H10V105", null],
];
const MORE_WORDS = [["no child", 222, 127, "childless"]];

/** Ways between states, and whether each is gone where the leaf was visited before (true), where not (false), where it got children or none ("child", "childless"), or always (null). */
const WAYS = [
  ["M16 24H41", null],
  ["M101 24H117", null],
  ["M201 24H231", true],
  ["M160 44V81", false],
  ["M261 38V96H193", "child"],
  ["M129 96H119", null],
  ["M27 96H19", null],
  ["M72 83V39", null],
];
const WORDS = [
  ["yes", 206, 18, true],
  ["no", 165, 66, false],
  ["next iteration", 78, 64, null],
];
const CHIPS = [["select", "select"], ["expand", "expand"], ["simulate", "simulate"], ["backpropagate", "back up"]];
const MORE_CHIPS = [["eliminate", "eliminate"]];

/** Mount the diagram; the model has `story` and `about`. Where there is little room, style sheets show the chips instead. */
export function mount(element, model) {
  const drawing = svg("svg", { "aria-hidden": "true" });
  const row = html("div", { class: "sokoviz-phases", "aria-hidden": "true" });
  const box = html("div", { class: "sokoviz-diagram", role: "img" }, drawing, row);
  let isDrawnWithMore = null;
  const update = () => {
    const hasMore = Boolean(model.get("about").eliminates);
    if (hasMore !== isDrawnWithMore) drawAll(drawing, row, hasMore);
    isDrawnWithMore = hasMore;
    show(box, model.get("story"));
  };
  update();
  element.append(box);
  return all(follow(model, ["story", "about"], update), () => box.remove());
}

/** All states and ways; those of elimination where a search has them. */
function drawAll(drawing, row, hasMore) {
  const states = Object.entries(hasMore ? { ...STATES, ...MORE_STATES } : STATES);
  const ways = drawWays(hasMore ? [...WAYS, ...MORE_WAYS] : WAYS, hasMore ? [...WORDS, ...MORE_WORDS] : WORDS);
  setAttribute(drawing, "viewBox", hasMore ? "2 0 288 150" : "2 0 288 118");
  drawing.replaceChildren(...ways, ...states.map(([name, state]) => drawState(name, state)));
  const chips = hasMore ? [...CHIPS, ...MORE_CHIPS] : CHIPS;
  row.replaceChildren(...chips.map(([name, text]) => html("span", { "data-state": name }, text)));
}

/** Light the state, and dim what this iteration leaves out. */
function show(box, { state, phases, visited = null, childless = false }) {
  setAttribute(box, "aria-label", `State: ${state}`);
  for (const each of box.querySelectorAll("[data-state]")) {
    const name = each.dataset.state;
    const { phase } = STATES[name] ?? MORE_STATES[name];
    each.classList.toggle("sokoviz-lit", name === state);
    each.classList.toggle("sokoviz-dim", Boolean(phase) && phases.length > 0 && !phases.includes(phase) && name !== state);
  }
  for (const each of box.querySelectorAll("[data-with]")) {
    const isTaken = { true: visited, false: !visited, child: visited && !childless, childless: visited && childless };
    each.classList.toggle("sokoviz-dim", visited !== null && !isTaken[each.dataset.with]);
  }
}

/** Arrows, and the words at them. */
function drawWays(ways, words) {
  const mark = (made, needs) => {
    if (needs !== null) made.setAttribute("data-with", needs);
    return made;
  };
  const arrows = ways.map(([path, needs]) => mark(svg("g", {}, svg("path", { class: "way", d: path }), drawHead(path)), needs));
  return [...arrows, ...words.map(([word, x, y, needs]) => mark(svg("text", { class: "word", x, y }, word), needs))];
}

/** The head of an arrow: no marker is used, because ids of markers clash where two explorers are on one page. */
function drawHead(path) {
  const [, x0, y0] = path.match(/^M(\d+) (\d+)/).map(Number);
  let [x, y, direction] = [x0, y0, [1, 0]];
  for (const [, axis, end] of path.matchAll(/([HV])(\d+)/g)) {
    direction = axis === "H" ? [Math.sign(end - x), 0] : [0, Math.sign(end - y)];
    if (axis === "H") x = Number(end);
    else y = Number(end);
  }
  const [right, down] = direction;
  const corner = (side) => `${x - 5 * right + 3.5 * side * down} ${y - 5 * down + 3.5 * side * right}`;
  return svg("path", { class: "head", d: `M${x + right} ${y + down}L${corner(1)}L${corner(-1)}z` });
}

/** One state: a box, the decision's box with pointed ends, or the dots of start and end. */
function drawState(name, state) {
  const words = (state.lines ?? []).map((line, index, { length }) =>
    svg("text", { x: state.x, y: state.y + 4 + (index - (length - 1) / 2) * 12.5 }, line),
  );
  return svg("g", { class: "state", "data-state": name }, svg("title", {}, state.title), ...drawShape(name, state), ...words);
}

function drawShape(name, { x, y, width }) {
  if (name === "start") return [svg("circle", { class: "dot", cx: x, cy: y, r: 6 })];
  if (name === "done") return [svg("circle", { class: "ring", cx: x, cy: y, r: 7 }), svg("circle", { class: "dot", cx: x, cy: y, r: 3.5 })];
  if (name !== "visited") return [svg("rect", { class: "box", x: x - width / 2, y: y - BOX_HEIGHT / 2, width, height: BOX_HEIGHT, rx: 5 })];
  const [half, slope, up] = [width / 2, 13, 19];
  const side = `L${x + half - slope} ${y - up}L${x + half} ${y}L${x + half - slope} ${y + up}`;
  return [svg("path", { class: "box", d: `M${x - half} ${y}L${x - half + slope} ${y - up}${side}L${x - half + slope} ${y + up}z` })];
}
