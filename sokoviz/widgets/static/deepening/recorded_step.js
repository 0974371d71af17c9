/** What is shown of a recorded step of iterative deepening when a node is selected: its board, its successors, its line. */
import { RecordedMoment } from "../explorer/recorded_look.js";

const MOST_LABELS = 12; // successors whose moves are written beside them, as Python does
const NO_BOARD = { layers: {}, captions: {} };

/** A step of the record. Selected can be what is drawn, what is on the line that is searched, and what lies beside that. */
export class RecordedStep extends RecordedMoment {
  constructor(part, index, start) {
    super(part, index, start);
    const line = this.entry.line.flatMap((node) => [node, ...this.tableOf(node).rows.map((row) => row.node)]);
    this.aroundLine = new Set(line);
  }

  stored({ nodes, boards, looks }) {
    return { nodes, boards, looks };
  }

  get home() {
    return this.entry.node;
  }

  get marksNode() {
    return true;
  }

  has(node) {
    return super.has(node) || this.aroundLine.has(node);
  }

  // --- the tree -----------------------------------------------------------------------------------------------------

  /** The tree with the way to a node marked, and moves written along it and below; the nodes drawn stay the same. */
  treeOf(node) {
    if (node === this.entry.node) return this.tree;
    const { frame: { ids, actions, children }, tree } = this;
    const path = this.pathTo(node);
    const named = new Set([...path, ...(path.length ? children[path.at(-1)].slice(0, MOST_LABELS) : [])]);
    const isNamed = (index) => index > 0 && named.has(index) && actions[index];
    const labels = [...ids.keys()].filter(isNamed).map((index) => [ids[index], actions[index]]);
    const marks = { ...tree.marks, path: path.map((index) => ids[index]), labels: [tree.marks.labels[0], ...labels] };
    return { ...tree, marks };
  }

  /** Places in the tree from its uppermost node down to a node; empty where the node lies above. */
  pathTo(node) {
    const path = [];
    for (let index = this.frame.indexOf.get(node) ?? -1; index >= 0; index = this.frame.parents[index]) path.unshift(index);
    return path;
  }

  remarkOn(node) {
    return this.frame.indexOf.has(node) ? "" : "This position is not in the part of the tree that is drawn here.";
  }

  // --- the node -----------------------------------------------------------------------------------------------------

  /** What is said of a node, which depends on what became of it. */
  lookOf(node) {
    const [parent] = this.nodes[node];
    const fate = parent < 0 ? this.entry.fate : this.tableOf(parent).rows.find((row) => row.node === node).fate;
    return this.looks[`${node} ${fate}`];
  }

  boardOf(node) {
    if (this.entry.position) return { ...NO_BOARD, ...this.entry.position };
    const { picture, layers } = this.boards[node];
    const { caption, marks } = this.lookOf(node);
    const pushes = this.tableOf(node).arrows ?? [];
    return { ...NO_BOARD, picture: { ...picture, overlays: marks }, caption, layers: { ...layers, pushes } };
  }

  squaresOf(node) {
    return (this.tableOf(node).targets ?? []).map(([row, column]) => [row, column]);
  }

  childAt(node, row, column) {
    return this.tableOf(node).targets?.find(([r, c]) => r === row && c === column)?.[2];
  }

  around(node) {
    return { children: this.successorsOf(node), line: this.lineTo(node) };
  }

  /** The successors of a node, of one that has none its siblings, and why it became what it became. */
  successorsOf(node) {
    const { node: of, title, marked, rows } = this.childrenOf(node);
    const counted = rows.map((row) => ({ ...row, below: this.belowOf(row.node) }));
    return { node: of, title, note: this.entry.position ? "" : this.lookOf(node).note, marked, rows: counted };
  }

  /** How many nodes are below a node, as was recorded last. */
  belowOf(node) {
    const entry = this.entries.slice(0, this.index + 1).findLast(({ below }) => node in below);
    return entry ? entry.below[node] : 0;
  }

  /** The moves from the start to a node. */
  lineTo(node) {
    if (this.entry.position) return { root: node, moves: [], current: [] };
    const [parent, text, pushes] = this.nodes[node];
    if (parent < 0) return { root: node, moves: [], current: this.entry.line };
    const { moves, ...rest } = this.lineTo(parent);
    return { ...rest, moves: [...moves, { node, text, pushes }] };
  }

  /** The parent of a node, whose children are shown where it has none. */
  parentOf(node) {
    return this.nodes[node][0];
  }
}
