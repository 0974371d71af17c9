/**
 * The model of an explorer over a recorded search, for a page without a kernel. What Python answers in a notebook is answered
 * here out of the record: every moment of it can be shown, and every node that is drawn there can be selected.
 */
import { withBytes } from "../shared/attached.js";
import { makeMemoryModel } from "../shared/memory.js";
import { grouped } from "../shared/numbers.js";
import { compose } from "./recorded_look.js";

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
 * @param Moment what is known of a moment, see `RecordedMoment`
 */
export async function makeRecordedModel(start, readPart, plotly, Moment) {
  const recorded = new Recorded(start, { readPart, plotly, Moment });
  await recorded.goTo(recorded.opening);
  return recorded.model;
}

class Recorded {
  constructor({ value, bytes }, means) {
    Object.assign(this, value, means, { start: value, at: 0, frame: 0, push: null, notice: "", unpacked: new Map(), listeners: new Set() });
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
    this.model.on("follow", () => { if (!this.isSelecting) this.show(); });
    this.model.on("playing", () => this.startAgain());
    for (const layer of LAYERS) this.model.on(layer, () => this.model.take({ position: this.position() }));
  }

  // --- showing ------------------------------------------------------------------------------------------------------

  /** Go to a moment of the record; what is asked for while it is unpacked wins. */
  async goTo(index, notice = "") {
    Object.assign(this, { at: index, notice, push: null, successor: null });
    const moment = await this.momentOf(index);
    if (this.at !== index || this.push !== null) return;
    this.moment = moment;
    this.show();
  }

  /** What an entry of the record tells; the part after its own is unpacked too, for the reader may go on. */
  async momentOf(entry) {
    const number = this.parts.findLastIndex((first) => first <= entry);
    const part = await this.unpack(number);
    if (number + 1 < this.parts.length) this.unpack(number + 1);
    return new this.Moment(part, entry - this.parts[number], this.start);
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
    const { entry } = this.moment;
    const chosen = this.model.get("follow") ? entry.node : this.model.get("node");
    const wanted = this.push === null ? chosen : this.film.nodes[this.push];
    const node = this.moment.has(wanted) ? wanted : this.moment.home;
    this.model.take({ iteration, phase, node, story: entry.story, record: this.recordNow() });
    this.showTree();
    this.showAround();
  }

  showTree() {
    this.frame += 1;
    this.model.take({ tree: { ...this.moment.treeOf(this.model.get("node")), frame: this.frame } });
  }

  /** All that stands around the tree. */
  showAround() {
    const node = this.model.get("node");
    const { solution } = this.moment.entry;
    this.model.take({
      position: this.position(),
      ...this.moment.around(node, this.successor?.action),
      solution: { ...solution, at: solution.pushes ? this.pushAt(node) : null, shown: this.push !== null },
    });
  }

  /** Which push of the solution leads to a node, where each has one of its own; else the one that is shown. */
  pushAt(node) {
    if (!this.film?.by_node) return this.push;
    const push = this.film.nodes.indexOf(node);
    return push < 0 ? null : push;
  }

  position() {
    if (this.push !== null) return { ...this.film.positions[this.push], ways: this.ways };
    const layers = LAYERS.filter((name) => this.model.get(name));
    if (this.successor) return compose(this.successor.board, layers, []);
    const node = this.model.get("node");
    return compose(this.moment.boardOf(node), layers, this.moment.squaresOf(node));
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
    return number > before + 1 ? this.missing(before + 1, number - 1) : "";
  }

  /** That some iterations are not in the record. */
  missing(first, last) {
    const unit = `${this.unit[0].toUpperCase()}${this.unit.slice(1)}`;
    return first === last ? `${unit} ${grouped(first)} is not in this page.` : `${unit}s ${grouped(first)} to ${grouped(last)} are not in this page.`;
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
    const place = Math.max(this.iterations.findLastIndex((number) => number <= iteration), 0);
    const isThere = this.iterations[place] === iteration;
    this.goTo(this.boundaries[place], isThere ? "" : this.missingAfter(place));
  }

  /** What to say where the record has a gap, or its end, after an iteration. */
  missingAfter(place) {
    return this.missing(this.iterations[place] + 1, (this.iterations[place + 1] ?? this.last + 1) - 1);
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
    return found ? this.goTo(found[1], found[2]) : this.say(`No ${this.nouns[to]} is recorded after ${this.unit} ${grouped(this.shown)}.`);
  }

  on_previous({ to }) {
    const found = this.events[to].findLast(([number]) => number < this.shown);
    return found ? this.goTo(found[1], found[2]) : this.say(`No ${this.nouns[to]} is recorded before ${this.unit} ${grouped(this.shown)}.`);
  }

  // --- nodes --------------------------------------------------------------------------------------------------------

  on_select({ node }) {
    const push = this.push !== null && this.film.by_node ? this.film.nodes.indexOf(node) : -1;
    if (push >= 0) return this.on_solution({ push });
    if (!this.moment.has(node)) return this.say(`Node ${grouped(node)} is not drawn at this moment of the recording.`);
    this.successor = null;
    this.isSelecting = true;
    this.model.take({ follow: false, node });
    this.isSelecting = false;
    if (this.push !== null) return this.goTo(this.at); // the solution is shown no longer
    if (this.moment.marksNode) this.showTree();
    this.showAround();
    return this.say(this.moment.remarkOn(node));
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
    const child = this.moment.childAt(this.model.get("node"), row, column);
    if (child !== undefined) this.on_select({ node: child });
  }

  on_unfold() {
    this.say("What is folded away is not in this page: unfolding needs Python.");
  }

  // --- the solution -------------------------------------------------------------------------------------------------

  /** Show the solution after some of its pushes, in a tree of the last moment; its pieces glide by one push. */
  async on_solution({ push }) {
    const before = this.push;
    Object.assign(this, { at: this.moments.length - 1, push, notice: "", successor: null });
    const moment = await this.momentOf(this.film.entries[push]);
    if (this.push !== push) return; // something else was asked for meanwhile
    Object.assign(this, { moment, ways: this.waysBetween(before, push) });
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
