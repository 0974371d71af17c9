/** Saves pictures and pages as files of the reader's. */
import { html } from "./dom.js";

const PIXELS = 2; // pixels of a PNG for each pixel on the screen

/** A picture as a PNG. */
export async function toPng(picture, width, height) {
  const address = URL.createObjectURL(picture);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(width * PIXELS, height * PIXELS);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Let the browser save the pages that Python makes. */
export function savePages(model) {
  return model.onMessage((content, buffers) => {
    if (content?.kind === "page") download(new Blob([buffers[0]], { type: "text/html" }), content.name);
  });
}

/** Let the browser save something under a name. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
