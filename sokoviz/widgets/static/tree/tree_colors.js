/** The cividis scale, which reads the same with every common colour vision; the anchors are those of `overlays.py`. */

const ANCHORS = [
  [0x00, 0x22, 0x4e], [0x12, 0x35, 0x70], [0x3b, 0x49, 0x6c], [0x57, 0x5d, 0x6d], [0x70, 0x71, 0x73],
  [0x8a, 0x86, 0x78], [0xa5, 0x9c, 0x74], [0xc3, 0xb3, 0x69], [0xe1, 0xcc, 0x55], [0xfe, 0xe8, 0x38],
];
const N_SHADES = 128; // a few strings for many nodes: each is read once

/** Colours from low to high, for a gradient. */
export const GRADIENT = ANCHORS.map((channels) => `rgb(${channels.join(", ")})`);

const SHADES = Array.from({ length: N_SHADES }, (_, index) => {
  const place = (index / (N_SHADES - 1)) * (ANCHORS.length - 1);
  const low = Math.min(Math.floor(place), ANCHORS.length - 2);
  const [from, to] = [ANCHORS[low], ANCHORS[low + 1]];
  const mix = (channel) => Math.round(from[channel] + (to[channel] - from[channel]) * (place - low));
  return `rgb(${mix(0)}, ${mix(1)}, ${mix(2)})`;
});

/** Colour of a share between 0 and 1; what lies outside gets the colour of the end. */
export function shade(share) {
  return SHADES[Math.round(Math.min(Math.max(share, 0), 1) * (N_SHADES - 1))];
}
