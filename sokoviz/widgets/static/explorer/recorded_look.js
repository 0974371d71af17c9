/** What is shown of a recorded moment when a node is selected: its board, its children, and what there is to tell beside. */
import { withBytes } from "../shared/attached.js";
import { ELIMINATED, readFrame, TERMINAL } from "../tree/tree_frame.js";

const NO_CHILDREN = { visits: 0, note: "", marked: null, formula: "", rows: [] };

/** A moment of the record. */
export class RecordedMoment {
  /**
   * @param part {value, bytes}: entries of some moments in a row, of which the first needs none before it
   * @param index which of them
   * @param boards boards by what they depend on, as Python keys them
   */
  constructor(part, index, boards) {
    Object.assign(this, { entries: part.value, index, boards });
    this.entry = part.value[index];
    this.tree = withBytes(this.entry.tree, part.bytes);
    this.frame = readFrame(this.tree);
  }

  /** Whether a node is drawn; only such can be selected. */
  has(node) {
    return this.frame.indexOf.has(node);
  }

  /** The board of a node; where the moment is about the end of a random game from there, that. */
  boardOf(node) {
    return (node === this.entry.node && this.entry.position) || this.boards[this.keyOf(node)];
  }

  keyOf(node) {
    const { parents, ids, depths, flags } = this.frame;
    const place = this.frame.indexOf.get(node);
    const parent = parents[place] < 0 ? -1 : ids[parents[place]];
    return [node, parent, depths[place], flags[place] & (TERMINAL | ELIMINATED)].join(" ");
  }

  /** The children of a node as they were recorded last; for a leaf its siblings, itself marked. */
  childrenOf(node) {
    const own = this.tableOf(node);
    if (own.rows.length || !node) return own;
    const place = this.frame.indexOf.get(node);
    const table = this.tableOf(this.frame.ids[this.frame.parents[place]]);
    return { ...table, marked: table.marked ?? node };
  }

  tableOf(node) {
    let at = this.index;
    while (at >= 0 && !this.entries[at].tables[node]) at -= 1;
    const [marked, note] = this.entry.taken[node] ?? [null, ""];
    const table = at < 0 ? { ...NO_CHILDREN, node, title: "" } : this.entries[at].tables[node];
    return { ...table, marked, note };
  }

  /** What is told beside; successors that became no children are recorded of the node alone that the moment is about. */
  detailsOf(node, chosen = null) {
    const { details, node: own } = this.entry;
    const { left_out: leftOut } = details;
    if (leftOut === null) return details;
    const rows = node === own || node === leftOut.node ? leftOut.rows : [];
    return { ...details, left_out: { ...leftOut, rows, chosen } };
  }

  /** The board after a push that became no child, and of which node; null where it is not recorded. */
  successorAt(action) {
    const { node, rows } = this.entry.details.left_out;
    const row = rows.find((each) => each.action === action);
    return row ? { node, action, board: this.boards[[node, action, row.why, row.more].join(" ")] } : null;
  }
}

/** A board with some of its layers, where a click on a square means one of some moves. */
export function compose(board, layers, actions) {
  const shown = Object.keys(board.layers).filter((name) => layers.includes(name));
  const overlays = [...shown.flatMap((name) => board.layers[name]), ...board.picture.overlays];
  const caption = shown.map((name) => board.captions[name]).find(Boolean) ?? board.caption;
  const clickable = board.moves.filter(([, , name]) => actions.includes(name)).map(([row, column]) => [row, column]);
  return { picture: { ...board.picture, overlays }, caption, clickable, ways: [] };
}
