/**
 * Keys in a tree: up to the parent, down to the most visited child, page up and down to the neighbours in a row. Left and
 * right are not ours: they step through the search, wherever the focus is.
 */
import { listen } from "../shared/dom.js";

const STEP_OF = {
  ArrowUp: ({ parents }, index) => parents[index],
  ArrowDown: ({ children, visits }, index) => mostVisited(children[index], visits),
  PageUp: (frame, index) => neighbour(frame, index, -1),
  PageDown: (frame, index) => neighbour(frame, index, 1),
};

function mostVisited(indices, visits) {
  return indices.reduce((best, index) => (best === undefined || visits[index] > visits[best] ? index : best), undefined);
}

function neighbour({ rows, depths }, index, step) {
  const row = rows[depths[index]];
  return row[row.indexOf(index) + step];
}

/**
 * Listen to the keys of a tree part. Keys that mean nothing here go on to whatever the tree is part of.
 *
 * @param part has `frame`, `model`, `cursor` (where earlier keys went that are not answered yet), and what keys can do
 */
export function listenToKeys(element, part) {
  return listen(element, "keydown", (event) => {
    if (!part.frame || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!obey(part, event.key)) return;
    event.stopPropagation();
    event.preventDefault();
  });
}

/** Do what a key asks for; returns whether it is one of ours. */
function obey(part, key) {
  const { frame, model } = part;
  const selected = frame.indexOf.get(model.get("node"));
  const from = part.cursor ?? selected;
  if (key in STEP_OF) {
    const to = from === undefined ? 0 : STEP_OF[key](frame, from);
    if (to !== undefined && to >= 0) part.select(to);
  } else if (key === "Enter") {
    if (selected !== undefined && frame.hidden[selected] > 0) part.unfold(frame.ids[selected]);
  } else if (key === "0") part.resetView();
  else return false;
  return true;
}
