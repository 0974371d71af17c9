/** Texts within a drawing of plotly, which reads a little markup: whatever comes from elsewhere is escaped. */

const ENTITY_OF = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ", "\r": " " };

/** A text that plotly shows as it is. */
export function escape(text) {
  return String(text).replace(/[&<>\n\r]/g, (sign) => ENTITY_OF[sign]);
}

let canvas = null;
let family = "sans-serif";

/** Set the font that widths are measured in. */
export function measureIn(font) {
  family = font;
}

/** Width of a text in pixels. */
export function textWidth(text, size, isBold = false) {
  canvas ??= new OffscreenCanvas(1, 1).getContext("2d");
  canvas.font = `${isBold ? "bold " : ""}${size}px ${family}`;
  return canvas.measureText(text).width;
}
