/** Votes as colours: one scale for heatmaps, one for their differences. `heat_pictures.py` says the same for documents. */
import { shade } from "../tree/tree_colors.js";

const HALF_A_VOTE = 0.5; // where logarithmic scales begin: no vote is at the dark end, and one vote a little above
const N_COLORS = 24; // of a colour bar

/** ColorBrewer's PRGn, purple over white to green: told apart with every common colour vision. */
const PURPLE_TO_GREEN = [[0x76, 0x2a, 0x83], [0xc2, 0xa5, 0xcf], [0xf7, 0xf7, 0xf7], [0xa6, 0xdb, 0xa0], [0x1b, 0x78, 0x37]];

/** The share of all votes that each square has. */
export function sharesOf(frame, ends) {
  return frame[ends].map((count) => count / Math.max(frame.n_votes, 1));
}

/** The scale on which some heatmaps are drawn: {low, high, isLogarithmic}. */
export function makeScale(shareLists, frames, isLogarithmic) {
  const low = HALF_A_VOTE / Math.max(1, ...frames.map((frame) => frame.n_votes));
  return { low, high: Math.max(low, ...shareLists.map((shares) => Math.max(0, ...shares))), isLogarithmic };
}

/** Place of a share on a scale, 0 to 1. */
export function placeOf(share, { low, high, isLogarithmic }) {
  if (!isLogarithmic || low >= high) return Math.min(share / high, 1);
  return Math.min(Math.log(Math.max(share, low) / low) / Math.log(high / low), 1);
}

/** Shares as an overlay that draw.js knows, with its colour bar. */
export function heatOverlay(squares, shares, scale, label) {
  return {
    kind: "heat",
    squares: squares.map((square, index) => [...square, shade(placeOf(shares[index], scale))]),
    low: "0",
    high: percent(scale.high),
    label: scale.isLogarithmic ? `${label} · logarithmic` : label,
    colors: Array.from({ length: N_COLORS }, (_, index) => shade(index / (N_COLORS - 1))),
  };
}

/** Differences of shares as an overlay. */
export function differenceOverlay(squares, changes, scale) {
  const place = (change) => (change ? Math.sign(change) * placeOf(Math.abs(change), scale) : 0);
  return {
    kind: "heat",
    squares: squares.map((square, index) => [...square, twoSidedColor(place(changes[index]))]),
    low: `less: −${percent(scale.high)}`,
    high: `more: +${percent(scale.high)}`,
    label: scale.isLogarithmic ? "difference · logarithmic" : "difference",
    colors: Array.from({ length: N_COLORS }, (_, index) => twoSidedColor((2 * index) / (N_COLORS - 1) - 1)),
  };
}

/** Colour of a place between -1 and 1. */
export function twoSidedColor(place) {
  const at = ((Math.min(Math.max(place, -1), 1) + 1) / 2) * (PURPLE_TO_GREEN.length - 1);
  const index = Math.min(Math.floor(at), PURPLE_TO_GREEN.length - 2);
  const [from, to] = [PURPLE_TO_GREEN[index], PURPLE_TO_GREEN[index + 1]];
  return `rgb(${from.map((low, channel) => Math.round(low + (to[channel] - low) * (at - index))).join(", ")})`;
}

/** How much two heatmaps share: over all squares, the sum of the smaller of both shares. */
export function similarity(one, other) {
  return one.reduce((sum, share, index) => sum + Math.min(share, other[index]), 0);
}

/** A share as people say it: as many digits as it needs. */
export function percent(share) {
  const value = 100 * share;
  if (!value) return "0 %";
  return `${value >= 10 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(1)} %`;
}

/** A probability with two digits, and honest about what rounds to nothing. */
export function probability(value) {
  if (value > 0 && value < 0.005) return "< 0.01";
  return value < 1 && value >= 0.995 ? "> 0.99" : value.toFixed(2);
}
