/** What is shown of a recorded moment of a tree search when a node is selected: its board, its children, what there is to tell beside. */
import { withBytes } from "../shared/attached.js";
import { ELIMINATED, readFrame, TERMINAL } from "../tree/tree_frame.js";

const NO_CHILDREN = { visits: 0, note: "", marked: null, formula: "", rows: [] };

/** A moment of the record. */
export class RecordedMoment {
  /**
   * @param part {value, bytes}: entries of some moments in a row, of which the first needs none before it
   * @param index which of them
   * @param start all of the record but the moments: boards by what they depend on, as Python keys them
   */
  constructor(part, index, start) {
    Object.assign(this, { entries: part.value, index, ...this.stored(start) });
    this.entry = part.value[index];
    this.tree = withBytes(this.entry.tree, part.bytes);
    this.frame = readFrame(this.tree);
  }

  /** What is noted once for several moments. */
  stored({ boards }) {
    return { boards };
  }

  /** The node that is selected where the one that was is not there. */
  get home() {
    return 0;
  }

  /** Whether the tree marks the way to the selected node, and has to be drawn anew for another. */
  get marksNode() {
    return false;
  }

  treeOf() {
    return this.tree;
  }

  /** What to say when a node is selected. */
  remarkOn() {
    return "";
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
    const parent = own.rows.length || !node ? -1 : this.parentOf(node);
    if (parent < 0) return own;
    const table = this.tableOf(parent);
    return { ...table, marked: table.marked ?? node };
  }

  /** The parent of a node that has one. */
  parentOf(node) {
    const { ids, parents, indexOf } = this.frame;
    return ids[parents[indexOf.get(node)]];
  }

  tableOf(node) {
    let at = this.index;
    while (at >= 0 && !this.entries[at].tables[node]) at -= 1;
    const [marked, note] = this.entry.taken?.[node] ?? [null, ""];
    const table = at < 0 ? { ...NO_CHILDREN, node, title: "" } : this.entries[at].tables[node];
    return { ...table, marked, note };
  }

  /** Squares of the board of a node on which a click means one of its children. */
  squaresOf(node) {
    const names = this.ownChildren(node).map((row) => row.action);
    return this.boardOf(node).moves.filter(([, , name]) => names.includes(name)).map(([row, column]) => [row, column]);
  }

  /** The child that a square of the board means; undefined where it means none. */
  childAt(node, row, column) {
    const [, , action] = this.boardOf(node).moves.find(([r, c]) => r === row && c === column) ?? [];
    return this.childrenOf(node).rows.find((each) => each.action === action)?.node;
  }

  ownChildren(node) {
    const table = this.childrenOf(node);
    return table.node === node ? table.rows : [];
  }

  /** What stands around the tree, beside the board. */
  around(node, successor) {
    return { children: this.childrenOf(node), details: this.detailsOf(node, successor) };
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

/** A board with some of its layers, where a click on some squares means something. */
export function compose(board, layers, clickable) {
  const shown = Object.keys(board.layers).filter((name) => layers.includes(name));
  const overlays = [...shown.flatMap((name) => board.layers[name]), ...board.picture.overlays];
  const caption = shown.map((name) => board.captions[name]).find(Boolean) ?? board.caption;
  return { picture: { ...board.picture, overlays }, caption, clickable, ways: [] };
}
