/** Texts within a drawing of plotly, which reads a little markup: whatever comes from elsewhere is escaped. */

const ENTITY_OF = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ", "\r": " " };

/** A text that plotly shows as it is. */
export function escape(text) {
  return String(text).replace(/[&<>\n\r]/g, (sign) => ENTITY_OF[sign]);
}

const MOST_KNOWN = 2000; // widths that are kept

let canvas = null;
let family = "sans-serif";
const widths = new Map();

/** Set the font that widths are measured in. */
export function measureIn(font) {
  family = font;
}

/** Width of a text in pixels; measured once, for that takes its time. */
export function textWidth(text, size, isBold = false) {
  const font = `${isBold ? "bold " : ""}${size}px ${family}`;
  const key = `${font}\n${text}`;
  if (!widths.has(key)) {
    if (widths.size >= MOST_KNOWN) widths.clear();
    canvas ??= new OffscreenCanvas(1, 1).getContext("2d");
    canvas.font = font;
    widths.set(key, canvas.measureText(text).width);
  }
  return widths.get(key);
}
