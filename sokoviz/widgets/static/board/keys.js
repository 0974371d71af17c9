/** What each key on a board asks for. */

/** Directions are those of move strings. */
const DIRECTION_OF = {
  arrowup: "u", w: "u", arrowdown: "d", s: "d", arrowleft: "l", a: "l", arrowright: "r", d: "r",
};

const COMMAND_OF = {
  u: "undo", backspace: "undo", "ctrl+z": "undo",
  r: "redo", "ctrl+y": "redo", "ctrl+shift+z": "redo",
  home: "restart", end: "finish", p: "replay", " ": "replay",
  enter: "act", escape: "escape",
  1: "component", 2: "pushes", 3: "dead_squares", 4: "coordinates",
};

/** Keys of each command, for tooltips. */
export const KEYS_OF = {
  undo: "U, Ctrl+Z or Backspace",
  redo: "R or Ctrl+Y",
  restart: "Home",
  replay: "P or Space",
  component: "1",
  pushes: "2",
  dead_squares: "3",
  coordinates: "4",
};

/** What a key press asks for: {command, direction}; null where it asks for nothing. */
export function readKey(event) {
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  if (key in DIRECTION_OF && !control) {
    return { command: event.shiftKey ? "look" : "step", direction: DIRECTION_OF[key] };
  }
  const chord = `${control ? "ctrl+" : ""}${control && event.shiftKey ? "shift+" : ""}${key}`;
  return chord in COMMAND_OF ? { command: COMMAND_OF[chord] } : null;
}

/** All that can be done on a board, for those who look it up. */
export const HELP = [
  ["Arrow keys, WASD", "step, and push the box that is in the way"],
  ["Shift + arrow keys", "look at a square without moving"],
  ["Enter", "on the square looked at: walk there, pick a box up, or push the box there"],
  ["Escape", "let go of a box"],
  ["U, Ctrl+Z, Backspace", "undo"],
  ["R, Ctrl+Y", "redo"],
  ["Home, End", "first and last of the moves"],
  ["P, Space", "replay, or stop it"],
  ["1, 2, 3, 4", "component, pushes, dead squares, coordinates"],
  ["Click or tap", "walk to a square; pick a box up, then choose a dotted square"],
  ["Drag", "push a box to a square"],
];
