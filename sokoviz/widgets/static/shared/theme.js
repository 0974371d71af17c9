/** The colours and the font that hold where an element stands, for drawings that know no CSS variables. */
import { all, html, listen } from "./dom.js";

const NAMES = [
  "now", "new", "dead", "context", "control", "ink", "ink-soft", "paper", "paper-soft", "rule", "edge",
  "outline", "pill", "redundant", "halo", "known", "goal-cut", "relevance", "inward", "pattern", "searched", "box",
];
const LARGE = 1.35; // how much larger everything is in large type
const SETTLING = 400; // milliseconds: JupyterLab may load a theme's sheet after it has named the theme

/**
 * What a drawing needs to know of its place.
 *
 * @returns {colors, font, scale}: colours by name as "rgb(...)", the font's family, 1 or the factor of large type
 */
function readStyle(element, isLarge) {
  const probe = html("span", { hidden: true });
  element.append(probe);
  const colors = {};
  for (const name of NAMES) {
    probe.style.color = `var(--sokoviz-${name})`;
    colors[name] = plain(getComputedStyle(probe).color);
  }
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { colors, font, scale: isLarge ? LARGE : 1 };
}

let canvas = null;

/** A colour as "rgb(...)": a mixed one is computed as "color(srgb ...)", which plotly cannot read. */
function plain(color) {
  if (color.startsWith("rgb")) return color;
  canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/**
 * Keep up with the style that a part of the page has, in its theme and in large type. JupyterLab hides everything while
 * it changes the theme, and computes nothing for cells far off the screen: such a part follows when it is seen.
 *
 * @param changed called when it has changed
 * @returns {style, cleanup}: `style` is what holds now, see readStyle
 */
export function followStyle(element, model, changed) {
  const read = () => {
    const isLarge = Boolean(model.get("large_type"));
    element.classList.toggle("sokoviz-large", isLarge);
    return readStyle(element, isLarge);
  };
  const followed = { style: read() };
  const update = () => {
    if (!element.checkVisibility({ contentVisibilityAuto: true })) return; // its styles may be those of before
    const style = read();
    if (JSON.stringify(style) === JSON.stringify(followed.style)) return;
    followed.style = style;
    changed();
  };
  const seen = new IntersectionObserver((entries) => { if (entries.at(-1).isIntersecting) update(); });
  seen.observe(element);
  followed.cleanup = all(watchTheme(update), model.on("large_type", update), () => seen.disconnect());
  return followed;
}

/** Call back when the notebook's theme or the reader's preference changes; returns what stops it. */
function watchTheme(update) {
  let timer = 0;
  const changed = () => {
    update();
    clearTimeout(timer);
    timer = setTimeout(update, SETTLING);
  };
  const observer = new MutationObserver(changed);
  const attributeFilter = ["data-jp-theme-light", "data-jp-theme-name", "class"];
  observer.observe(document.body, { attributes: true, attributeFilter });
  const preference = globalThis.matchMedia("(prefers-color-scheme: dark)");
  return all(listen(preference, "change", changed), () => observer.disconnect(), () => clearTimeout(timer));
}
