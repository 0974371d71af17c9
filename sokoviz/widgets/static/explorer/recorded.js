/**
 * The explorer's model over a recorded search, for a page without a kernel. What Python answers in a notebook is answered
 * here out of the record: every moment of it can be shown, and every node that is drawn there can be selected.
 */
import { withBytes } from "../shared/attached.js";
import { makeMemoryModel } from "../shared/memory.js";
import { grouped } from "../shared/numbers.js";
import { compose, RecordedMoment } from "./recorded_look.js";

const LAYERS = ["component", "pushes", "matching"];
const FRAMES_A_SECOND = 16; // beyond this speed, playing takes several iterations a frame
const MOST_KEPT = 6; // parts of the record that stay unpacked
const NO_SOLUTION = { pushes: 0, moves: 0, at: null, shown: false };
const REST = { playing: false, large_type: false, follow: true, trouble: { summary: "", details: "" }, match: {} };

/**
 * Make the model and show the moment where the search stood.
 *
 * @param start {value, bytes}: all but the moments themselves
 * @param readPart gives a promise of a part of them by its number
 * @param plotly gives plotly.js, gzipped
 */
export async function makeRecordedModel(start, readPart, plotly) {
  const recorded = new Recorded(start, readPart, plotly);
  await recorded.goTo(recorded.opening);
  return recorded.model;
}

class Recorded {
  constructor({ value, bytes }, readPart, plotly) {
    Object.assign(this, value, { readPart, plotly, at: 0, frame: 0, push: null, notice: "", unpacked: new Map(), listeners: new Set() });
    this.boundaries = this.moments.flatMap(([, phase], index) => (phase === "" ? [index] : []));
    this.iterations = this.boundaries.map((index) => this.moments[index][0]);
    const memory = makeMemoryModel({ ...REST, ...withBytes(value.values, bytes), solution: NO_SOLUTION, record: this.recordNow() });
    this.model = {
      ...memory,
      send: ({ kind, ...message }) => this[`on_${kind}`]?.(message),
      onMessage: (handler) => {
        this.listeners.add(handler);
        return () => this.listeners.delete(handler);
      },
    };
    this.filmMoment = value.film && new RecordedMoment({ value: [value.film.entry], bytes }, 0, value.boards);
    this.model.on("follow", () => { if (!this.isSelecting) this.show(); });
    this.model.on("playing", () => this.startAgain());
    for (const layer of LAYERS) this.model.on(layer, () => this.model.take({ position: this.position() }));
  }

  // --- showing ------------------------------------------------------------------------------------------------------

  /** Go to a moment of the record; what is asked for while it is unpacked wins. */
  async goTo(index, notice = "") {
    Object.assign(this, { at: index, notice, push: null, successor: null });
    const number = this.parts.findLastIndex((first) => first <= index);
    const part = await this.unpack(number);
    if (this.at !== index || this.push !== null) return;
    this.moment = new RecordedMoment(part, index - this.parts[number], this.boards);
    this.show();
    if (number + 1 < this.parts.length) this.unpack(number + 1);
  }

  /** A part of the record; the last few stay unpacked. */
  unpack(number) {
    const found = this.unpacked.get(number) ?? this.readPart(number);
    this.unpacked.delete(number);
    this.unpacked.set(number, found);
    if (this.unpacked.size > MOST_KEPT) this.unpacked.delete(this.unpacked.keys().next().value);
    return found;
  }

  show() {
    const [iteration, phase] = this.moments[this.at];
    const { entry, tree } = this.moment;
    const chosen = this.model.get("follow") ? entry.node : this.model.get("node");
    const wanted = this.push === null ? chosen : this.film.nodes[this.push];
    this.frame += 1;
    this.model.take({
      iteration,
      phase,
      node: this.moment.has(wanted) ? wanted : 0,
      story: entry.story,
      tree: { ...tree, frame: this.frame },
      record: this.recordNow(),
    });
    this.showAround();
  }

  /** All that stands around the tree. */
  showAround() {
    const node = this.model.get("node");
    const { entry } = this.moment;
    const at = this.film && entry.solution.pushes ? this.film.nodes.indexOf(node) : -1;
    this.model.take({
      position: this.position(),
      children: this.moment.childrenOf(node),
      details: this.moment.detailsOf(node, this.successor?.action),
      solution: { ...entry.solution, at: at < 0 ? null : at, shown: this.push !== null },
    });
  }

  position() {
    if (this.push !== null) return { ...this.film.positions[this.push], ways: this.ways };
    const layers = LAYERS.filter((name) => this.model.get(name));
    if (this.successor) return compose(this.successor.board, layers, []);
    const node = this.model.get("node");
    const table = this.moment.childrenOf(node);
    return compose(this.moment.boardOf(node), layers, table.node === node ? table.rows.map((row) => row.action) : []);
  }

  recordNow() {
    return { last: this.last, running: false, text: this.notice || this.held, share: null, busy: false, ends: this.isAtEnd, iterations: this.iterations };
  }

  /** Say something, and that whatever was asked for is answered. */
  say(notice) {
    this.notice = notice;
    this.model.take({ record: this.recordNow() });
  }

  // --- going through the record -------------------------------------------------------------------------------------

  /** Where in the list of complete iterations the reader is; in a phase, at the one before. */
  get place() {
    return this.boundaries.findLastIndex((index) => index <= this.at);
  }

  /** Go on by some steps, or back. */
  move(unit, steps) {
    const isWithin = this.boundaries[this.place] !== this.at;
    const place = this.place + steps + (isWithin && steps < 0 ? 1 : 0);
    const last = this.moments.length - 1;
    const index = unit === "phase" ? this.at + steps : (this.boundaries[Math.max(place, 0)] ?? last);
    this.goTo(Math.min(Math.max(index, 0), last), this.gapBefore(index));
    if (this.isAtEnd) this.model.set("playing", false);
  }

  /** What to say where iterations before a moment are not in the record. */
  gapBefore(index) {
    const place = this.boundaries.indexOf(index);
    const [before, number] = [this.iterations[place - 1], this.iterations[place]];
    return number > before + 1 ? `Iterations ${grouped(before + 1)} to ${grouped(number - 1)} are not in this page.` : "";
  }

  /** Playing at the end begins again. */
  startAgain() {
    if (this.model.get("playing") && this.isAtEnd) this.goTo(0);
  }

  get isAtEnd() {
    return this.at === this.moments.length - 1;
  }

  on_step({ unit, direction }) {
    this.move(unit, direction);
  }

  on_goto({ iteration }) {
    const place = this.iterations.findLastIndex((number) => number <= iteration);
    this.goTo(this.boundaries[Math.max(place, 0)]);
  }

  /** The page has drawn a frame while playing. */
  on_next({ frame }) {
    if (!this.model.get("playing") || frame !== this.frame) return;
    const isByPhase = this.model.get("play_unit") === "phase";
    this.move(isByPhase ? "phase" : "iteration", isByPhase ? 1 : Math.max(1, Math.round(this.model.get("speed") / FRAMES_A_SECOND)));
  }

  on_stop() {
    this.model.set("playing", false);
  }

  /** Number of the iteration that is shown, complete or not. */
  get shown() {
    const [iteration, phase] = this.moments[this.at];
    return iteration + (phase ? 1 : 0);
  }

  on_run({ to, value }) {
    if (to === "iteration") return this.on_goto({ iteration: value });
    const found = this.events[to].find(([number]) => number > this.shown);
    return found ? this.goTo(found[1], found[2]) : this.say(`No ${this.nouns[to]} is recorded after iteration ${grouped(this.shown)}.`);
  }

  on_previous({ to }) {
    const found = this.events[to].findLast(([number]) => number < this.shown);
    return found ? this.goTo(found[1], found[2]) : this.say(`No ${this.nouns[to]} is recorded before iteration ${grouped(this.shown)}.`);
  }

  // --- nodes --------------------------------------------------------------------------------------------------------

  on_select({ node }) {
    const push = this.push === null ? -1 : this.film.nodes.indexOf(node);
    if (push >= 0) return this.on_solution({ push });
    if (!this.moment.has(node)) return this.say(`Node ${grouped(node)} is not drawn at this moment of the recording.`);
    this.successor = null;
    this.isSelecting = true;
    this.model.take({ follow: false, node });
    this.isSelecting = false;
    if (this.push !== null) return this.goTo(this.at); // the solution is shown no longer
    this.showAround();
    return this.say("");
  }

  /** Show the position that a push would lead to which became no child; nothing more when asked again. */
  on_successor({ action }) {
    const found = this.successor?.action === action ? null : this.moment.successorAt(action);
    this.on_select({ node: found?.node ?? this.model.get("node") });
    this.successor = found;
    this.showAround();
  }

  on_find({ text }) {
    if (/^\d+$/.test(text)) this.on_select({ node: Number(text) });
    else this.say("A node is found by its number.");
  }

  on_square({ square: [row, column] }) {
    const node = this.model.get("node");
    const [, , action] = this.moment.boardOf(node).moves.find(([r, c]) => r === row && c === column) ?? [];
    const child = this.moment.childrenOf(node).rows.find((each) => each.action === action);
    if (child) this.on_select({ node: child.node });
  }

  on_unfold() {
    this.say("What is folded away is not in this page: unfolding needs Python.");
  }

  // --- the solution -------------------------------------------------------------------------------------------------

  /** Show the solution after some of its pushes, in the last tree of the record; its pieces glide by one push. */
  async on_solution({ push }) {
    const end = this.moments.length - 1;
    const before = this.push;
    if (this.at !== end) await this.goTo(end);
    if (this.at !== end) return;
    Object.assign(this, { push, notice: "", moment: this.filmMoment, ways: this.waysBetween(before, push) });
    this.show();
  }

  waysBetween(before, push) {
    const waysTo = (index) => this.film.positions[index].ways;
    if (before === push - 1) return waysTo(push);
    return before === push + 1 ? waysTo(before).map((way) => way.toReversed()) : [];
  }

  // --- plotly.js ----------------------------------------------------------------------------------------------------

  on_plotly() {
    const buffer = this.plotly();
    setTimeout(() => this.listeners.forEach((handler) => handler({ kind: "plotly" }, [buffer])));
  }
}
