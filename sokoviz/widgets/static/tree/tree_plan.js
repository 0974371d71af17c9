/** The whole drawing of a tree: traces in the order in which they lie on each other, and plotly's layout. */
import { planEdges } from "./tree_edges.js";
import { planLabels } from "./tree_labels.js";
import { diameters, planNodes } from "./tree_layout.js";
import { boxOfPill, planLinks, planPath, planPills, planRings, planTail } from "./tree_marks.js";
import { planStubs } from "./tree_stubs.js";
import { measureIn } from "../shared/text.js";
import { toAxes, toRanges } from "./tree_view.js";

/** What plotly may do: our own parts do the rest. Text that looks like a formula stays text. */
export const CONFIG = { displayModeBar: false, scrollZoom: true, doubleClick: false, typesetMath: false, responsive: false };

/**
 * Plan the drawing of a frame.
 *
 * @param places where the nodes belong, in pixels
 * @returns {items, targets}: {trace, place} in drawing order, and what can be pointed at, see tree_hits.js
 */
export function planTree(frame, selected, places, geometry, style) {
  measureIn(style.font);
  const sizes = diameters(frame, geometry, style.scale);
  const rings = planRings(frame, sizes, selected, geometry, style);
  const tail = planTail(frame, sizes, places, geometry, style);
  const stubs = planStubs(frame, sizes, places, geometry, tail, style);
  const pills = [...stubs.pills, ...tail.pills];
  const blocked = [...(frame.kinds ? [] : [legendBox(geometry, style)]), ...tail.blocked, ...pills.map((pill) => boxOfPill(pill, places, style.scale))];
  const labels = planLabels(frame, sizes, rings.reach, places, geometry, blocked, style);
  const items = [
    ...planEdges(frame, stubs, style),
    ...planPath(frame, style),
    ...planLinks(frame, style),
    ...tail.plan,
    ...planNodes(frame, sizes, style),
    ...rings.plan,
    ...planPills(pills, style),
    ...labels,
  ];
  return { items, targets: { sizes, pills: stubs.pills, fans: stubs.fans } };
}

/** Where the scale of values stands. */
function legendBox({ width }, { scale }) {
  return [width - 120 * scale, 0, width, 40 * scale];
}

/** The traces with nodes at some places. */
export function tracesAt(items, places, geometry) {
  return items.map(({ trace, place }) => ({ type: "scatter", ...trace, ...toAxes(place(places), geometry) }));
}

/** The coordinates alone, for a glide. */
export function coordinatesAt(items, places, geometry) {
  return items.map(({ place }) => toAxes(place(places), geometry));
}

/** Plotly's layout: nothing but the traces. */
export function layoutOf(geometry, style, background = "rgba(0,0,0,0)") {
  const { x, y } = toRanges(geometry);
  // With its type given, plotly does not look through all numbers to find it out.
  const axis = { type: "linear", visible: false, fixedrange: false, autorange: false };
  return {
    width: geometry.width,
    height: geometry.height,
    margin: { l: 0, r: 0, t: 0, b: 0, pad: 0 },
    xaxis: { ...axis, range: x },
    yaxis: { ...axis, range: y },
    font: { family: style.font, size: 12 * style.scale, color: style.colors.ink },
    paper_bgcolor: background,
    plot_bgcolor: "rgba(0,0,0,0)",
    showlegend: false,
    hovermode: false,
    dragmode: "pan",
    uirevision: "tree",
  };
}
