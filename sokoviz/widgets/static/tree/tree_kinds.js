/** Nodes that have come to one of some fates instead of having values: a colour and a shape each, and a legend that counts. */
import { html, setAttribute, setText, svg } from "../shared/dom.js";
import { grouped } from "../shared/numbers.js";
import { mapped } from "./tree_view.js";

/** Outlines of the shapes in a box of 12 by 12, as plotly draws them. */
const OUTLINE_OF = {
  circle: "M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10z",
  square: "M1.5 1.5h9v9h-9z",
  diamond: "M6 0l6 6l-6 6l-6-6z",
  x: "M2.8 0.6L6 3.8l3.2-3.2l2.2 2.2L8.2 6l3.2 3.2l-2.2 2.2L6 8.2l-3.2 3.2l-2.2-2.2L3.8 6L0.6 2.8z",
  cross: "M4 0.5h4v3.5h3.5v4H8v3.5H4V8H0.5V4H4z",
  hexagon: "M6 0l5.2 3v6L6 12L0.8 9V3z",
  "triangle-up": "M6 0.8l5.8 10.2H0.2z",
  "triangle-down": "M6 11.2l5.8-10.2H0.2z",
  star: "M6 0l1.5 4.2l4.4 0.1l-3.5 2.8l1.3 4.3L6 8.8l-3.7 2.6l1.3-4.3L0.1 4.3l4.4-0.1z",
};

/** A sign of a kind, for texts beside the tree. */
export function signOf({ shape, color }) {
  const drawn = svg("path", { d: OUTLINE_OF[shape] });
  drawn.style.fill = `var(--sokoviz-${color})`;
  return svg("svg", { class: "sokoviz-kind-sign", viewBox: "-1 -1 14 14", "aria-hidden": "true" }, drawn);
}

/** All nodes, one trace a shape: circles under the name that is drawn quickly. */
export function planKinds(frame, sizes, { colors }) {
  const { kinds, values } = frame;
  const shapes = [...new Set(kinds.map(({ shape }) => shape))];
  return shapes.flatMap((shape) => {
    const indices = Array.from(frame.ids.keys()).filter((index) => kinds[values[index]].shape === shape);
    if (!indices.length) return [];
    const marker = {
      symbol: shape,
      opacity: 1,
      size: mapped(indices, (index) => sizes[index]),
      color: indices.map((index) => colors[kinds[values[index]].color]),
      line: { width: 0 },
    };
    const gather = (places) => mapped(indices, (index) => places[index]);
    const uid = shape === "circle" ? "nodes" : `kind-${shape}`;
    return [{ trace: { uid, mode: "markers", hoverinfo: "skip", marker }, place: ({ x, y }) => [gather(x), gather(y)] }];
  });
}

/** The legend above a tree: each fate with its sign, and how many nodes of the whole tree have come to it. */
export class KindLegend {
  constructor(element) {
    this.box = html("div", { class: "sokoviz-kinds", role: "note" });
    this.counts = [];
    element.prepend(this.box);
  }

  update({ kinds }) {
    const shown = kinds.filter((kind) => kind.shown);
    if (this.counts.length !== shown.length) this.build(shown);
    shown.forEach(({ count }, place) => {
      setText(this.counts[place], grouped(count));
      this.counts[place].parentElement.classList.toggle("sokoviz-none", count === 0);
    });
    const words = shown.map(({ name, count }) => `${grouped(count)} ${name}`).join(", ");
    setAttribute(this.box, "aria-label", `nodes of this threshold: ${words}; sizes grow with the nodes below`);
  }

  build(shown) {
    this.counts = shown.map(() => html("b"));
    this.box.replaceChildren(...shown.map((kind, place) => html("span", {}, signOf(kind), kind.name, this.counts[place])));
  }
}
