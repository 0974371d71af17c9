/** Saves a tree as a picture: plotly's own export, with the round pills, the halos and the scale of values. */
import { download, toPng } from "../shared/save.js";
import { GRADIENT } from "./tree_colors.js";
import { signOf } from "./tree_kinds.js";
import { trimmed } from "./tree_tip.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Save a figure as a file.
 *
 * @param figure {data, layout} of plotly
 * @param format "svg" or "png"
 */
export async function saveTree(Plotly, figure, frame, style, format) {
  const { width, height } = figure.layout;
  const address = await Plotly.toImage(figure, { format: "svg", width, height });
  const text = finish(decodeURIComponent(address.slice(address.indexOf(",") + 1)), frame, style, width);
  const picture = new Blob([text], { type: "image/svg+xml" });
  download(format === "svg" ? picture : await toPng(picture, width, height), `tree-${frame.nNodes}-nodes.${format}`);
}

/** Put into the picture what style sheets do in the page. */
function finish(text, frame, style, width) {
  const tree = new DOMParser().parseFromString(text, "image/svg+xml");
  const sheet = tree.createElementNS(SVG, "style");
  const { colors } = style;
  sheet.textContent = `.tracenodes .point,.traceends .point,.traceeliminated .point{stroke:${colors.outline};stroke-width:1px !important}` +
    `.traceeliminated .point{stroke:${colors.paper}}` +
    `[class*="tracekind-"] .point{stroke:${colors.outline};stroke-width:1px !important}` +
    ".tracepills .point{stroke-linecap:round}" +
    `.tracelabels text{paint-order:stroke;stroke:${colors.paper};stroke-width:3px;stroke-linejoin:round}`;
  tree.documentElement.prepend(sheet);
  tree.documentElement.append(frame.kinds ? kindLegend(tree, frame, style) : legend(tree, frame, style, width));
  return new XMLSerializer().serializeToString(tree);
}

/** The fates that nodes of the tree have come to, one below the other. */
function kindLegend(tree, { kinds }, { colors, font, scale }) {
  const group = tree.createElementNS(SVG, "g");
  kinds.filter(({ count }) => count).forEach((kind, place) => {
    const sign = tree.importNode(signOf(kind).firstChild, true);
    sign.setAttribute("style", `fill:${colors[kind.color]};stroke:${colors.outline}`);
    sign.setAttribute("transform", `translate(8 ${8 + 16 * scale * place})`);
    const text = tree.createElementNS(SVG, "text");
    for (const [key, value] of Object.entries({ x: 26, y: 18 + 16 * scale * place, "font-family": font, "font-size": 11 * scale, fill: colors["ink-soft"] })) text.setAttribute(key, value);
    text.textContent = `${kind.name} ${kind.count}`;
    group.append(sign, text);
  });
  return group;
}

function legend(tree, { valueRange }, { colors, font, scale }, width) {
  const make = (name, attributes, text = "") => {
    const made = tree.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  const [wide, high] = [100 * scale, 7 * scale];
  const letters = { "font-family": font, "font-size": 11 * scale, fill: colors["ink-soft"] };
  const group = make("g", { transform: `translate(${width - wide - 12} 12)`, ...letters });
  const stops = make("linearGradient", { id: "sokoviz-values" });
  const stop = (color, index) => make("stop", { offset: index / (GRADIENT.length - 1), "stop-color": color });
  stops.append(...GRADIENT.map(stop));
  group.append(stops, make("rect", { width: wide, height: high, rx: high / 2, fill: "url(#sokoviz-values)" }));
  const places = [["start", 0, trimmed(valueRange[0])], ["middle", wide / 2, "value"], ["end", wide, trimmed(valueRange[1])]];
  for (const [anchor, x, text] of places) group.append(make("text", { x, y: high + 13 * scale, "text-anchor": anchor }, text));
  return group;
}
