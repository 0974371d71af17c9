/** Saves heatmaps as one picture, in the colours that they have on the page. */
import { svg } from "../shared/dom.js";
import { download, toPng } from "../shared/save.js";

const GAP = 24;
const TITLE = 24;
const FONT = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const DRAWN = /^(?!.*sokoviz-(arrows|vote))(.*\.sokoviz-(picture \.|box-|home|goal-|thin|player-))/;

/** Save all heatmaps of a widget as "png" or "svg". */
export async function saveHeatmaps(root, format) {
  const { drawing, width, height } = compose(root);
  const picture = new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" });
  download(format === "svg" ? picture : await toPng(picture, width, height), `heatmaps.${format}`);
}

/** One drawing of all heatmaps with their titles, in rows as on a wide page: differences stand under their views. */
export function compose(root) {
  const panels = [...root.querySelectorAll("figure.sokoviz-heat")];
  const columns = Number(panels[0].parentElement.style.getPropertyValue("--sokoviz-panels"));
  const parts = [];
  let [x, y, rowHeight, width, column] = [GAP, GAP, 0, 0, 0];
  panels.forEach((panel) => {
    if (column === columns) [x, y, rowHeight, column] = [GAP, y + rowHeight + GAP, 0, 0];
    const picture = panel.querySelector(".sokoviz-picture").cloneNode(true);
    const [wide, high] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
    if (panel.classList.contains("sokoviz-under-its-view")) [x, column] = [x + wide + GAP, column + 1];
    Object.entries({ x, y: y + TITLE, overflow: "visible" }).forEach(([key, value]) => picture.setAttribute(key, value));
    parts.push(title(panel, x, y), svg("g", { class: "sokoviz-heat" }, picture));
    [x, rowHeight, column] = [x + wide + GAP, Math.max(rowHeight, high + TITLE), column + 1];
    width = Math.max(width, x);
  });
  const height = y + rowHeight + GAP;
  const ground = svg("rect", { width, height, fill: getComputedStyle(root).backgroundColor });
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, svg("style", {}, styles(panels[0])), ground, ...parts);
  return { drawing, width, height };
}

function title(panel, x, y) {
  const { color } = getComputedStyle(panel);
  const [name, note] = ["figcaption > :first-child", "figcaption > .sokoviz-note"].map((selector) => panel.querySelector(selector)?.textContent ?? "");
  const bold = svg("tspan", { "font-weight": 700 }, name);
  return svg("text", { x, y: y + 13, fill: color, "font-family": FONT, "font-size": 13 }, bold, svg("tspan", { dx: 10 }, note));
}

/** The rules that pictures need, with colours in place of variables, which many viewers do not know. */
function styles(panel) {
  const probe = svg("g");
  panel.querySelector(".sokoviz-picture").append(probe);
  const values = getComputedStyle(probe);
  const colorOf = (name) => {
    probe.style.color = `var(${name})`;
    return values.color;
  };
  const plain = (text) => text.replace(/var\((--sokoviz-[a-z-]+)\)/g, (_, name) => colorOf(name));
  const known = new Set();
  for (const sheet of document.styleSheets) {
    for (const rule of readable(sheet)) if (DRAWN.test(rule.selectorText ?? "")) known.add(plain(rule.cssText));
  }
  probe.remove();
  return [...known].join("\n");
}

/** The rules of a sheet; none of one that comes from elsewhere. */
function readable(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}
