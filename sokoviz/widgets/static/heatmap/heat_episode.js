/** The episode player: an episode as a strip of positions with its moves, as found and without detours. */
import { makeButton, makeSwitch } from "../shared/buttons.js";
import { all, html, icon, listen, setAttribute, setText, showShare } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { makeSheet } from "./sheet.js";

const SPEED = 2; // moves a second
const [NARROWEST, WIDEST] = [92, 210]; // pixels of a position in the strip
const GAP = 7;
const CAPTION = 44; // pixels under and around a position
const EMPTY = "Open one of the votes to see its episode here, move by move.";
const PLAY = [
  { name: "Play episode", what: "Play the episode move by move", icon: "play", words: "play" },
  { name: "Pause episode", what: "Stop playing", icon: "pause", words: "pause" },
];
const KINDS = [["optimised", "Optimised", "Without detours (OptimizeSolution): what the learner remembers"], ["found", "As found", "All moves as they were found"]];

/** Mount the player; the model has `strip`. */
export function mount(element, model) {
  return new EpisodePart(element, model).cleanup;
}

class EpisodePart {
  constructor(element, model) {
    Object.assign(this, { model, kind: "optimised", at: 0, number: null, timer: null, cards: [], room: 5 });
    this.build(element);
    const resizes = new ResizeObserver(() => this.measure());
    resizes.observe(this.row);
    this.read();
    this.cleanup = all(
      follow(model, ["strip"], () => this.read()),
      listen(this.slider, "input", () => this.jump(Number(this.slider.value))),
      () => resizes.disconnect(),
      () => this.stop(),
      () => this.cards.forEach((card) => card.cleanup()),
      () => this.box.remove(),
    );
  }

  build(element) {
    this.title = html("strong");
    this.kinds = KINDS.map(([kind, name, what]) => makeButton(name, what, [name], () => this.choose(kind)));
    const kinds = html("span", { class: "sokoviz-row sokoviz-joined", role: "group", "aria-label": "Which moves" }, ...this.kinds);
    this.play = makeSwitch(PLAY, () => this.toggle());
    this.back = makeButton("Episode back", "Back by one move", [icon("stepBack")], () => this.jump(this.at - 1));
    this.step = makeButton("Episode step", "On by one move", [icon("step")], () => this.jump(this.at + 1));
    this.match = makeButton("Matching state", "The state that shares most boxes with the position on the board", ["match"], () => this.jump(this.strip.match));
    this.slider = html("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Step of the episode", title: "Go to any state of the episode" });
    this.place = html("span", { class: "sokoviz-episode-place" });
    const line = html("div", { class: "sokoviz-vote-line" }, this.title, kinds);
    this.controls = html("div", { class: "sokoviz-episode-controls" }, this.play.element, this.back, this.step, this.match, this.slider, this.place);
    this.row = html("div", { class: "sokoviz-strip", role: "list", "aria-label": "Positions of the episode" });
    this.box = html("div", { class: "sokoviz-episode" }, line, this.controls, this.row);
    element.append(this.box);
  }

  /** How many positions the strip has room for, each as large as its height allows or a little less. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.row;
    const [first] = this.states;
    if (!width || !height || !first) return;
    const wanted = ((height - CAPTION) * first.picture.width) / first.picture.height + GAP;
    const best = Math.min(Math.max(wanted, NARROWEST), WIDEST);
    this.room = Math.max(Math.round((width + GAP) / (best + GAP)), 1);
    const card = Math.min(best, (width + GAP) / this.room - GAP);
    this.row.style.setProperty("--sokoviz-card", `${Math.floor(card)}px`);
    this.update();
  }

  get strip() {
    return this.model.get("strip");
  }

  get states() {
    return this.strip[this.kind] ?? [];
  }

  /** Another episode begins where it matches the position; the same one stays where it is. */
  read() {
    const { number = null, match = null } = this.strip;
    if (number !== this.number) {
      this.stop();
      Object.assign(this, { number, kind: "optimised", at: match ?? 0 });
    }
    this.update();
    this.measure();
  }

  /** The same moment in the other list of moves, as far as there is one. */
  choose(kind) {
    this.kind = kind;
    this.jump(kind === "optimised" && this.strip.match !== null ? this.strip.match : 0);
  }

  jump(at) {
    this.stop();
    this.go(at);
  }

  go(at) {
    this.at = Math.min(Math.max(at, 0), this.states.length - 1);
    this.update();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at >= this.states.length - 1) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.states.length - 1) this.stop();
    }, 1000 / SPEED);
    return this.play.show(1);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.show(0);
  }

  update() {
    const { strip, states } = this;
    const last = states.length - 1;
    setText(this.title, strip.text ?? EMPTY);
    this.box.classList.toggle("sokoviz-episode-none", last < 0);
    if (last < 0) return this.showStates([]);
    this.at = Math.min(this.at, last);
    KINDS.forEach(([kind], index) => setAttribute(this.kinds[index], "aria-pressed", kind === this.kind));
    setAttribute(this.kinds[1], "aria-disabled", !strip.is_shortened);
    setAttribute(this.back, "aria-disabled", this.at === 0);
    setAttribute(this.step, "aria-disabled", this.at === last);
    this.match.classList.toggle("sokoviz-away", strip.match === null || this.kind === "found");
    Object.assign(this.slider, { max: Math.max(last, 1), value: this.at });
    showShare(this.slider);
    const { move } = states[this.at];
    setText(this.place, move ? `${this.at} of ${last}: ${move}` : `${this.at} of ${last}: solved`);
    setAttribute(this.slider, "aria-valuetext", this.place.textContent);
    const first = Math.max(0, Math.min(this.at - Math.floor((this.room - 1) / 2), last - this.room + 1));
    return this.showStates(states.slice(first, first + this.room).map((state, index) => ({ ...state, index: first + index })));
  }

  showStates(shown) {
    while (this.cards.length > shown.length) this.cards.pop().cleanup();
    shown.forEach((state, place) => {
      this.cards[place] ??= this.addCard(state);
      this.cards[place].show(state);
    });
  }

  addCard(first) {
    const sheet = makeSheet(first.picture);
    const [title, text] = [html("b"), html("span")];
    const caption = html("span", { class: "sokoviz-vote-caption" }, title, text);
    const card = html("button", { type: "button", class: "sokoviz-vote" }, sheet.element, caption);
    const item = html("div", { role: "listitem" }, card);
    this.row.append(item);
    let index = 0;
    card.addEventListener("click", () => this.jump(index));
    const show = (state) => {
      ({ index } = state);
      const isMatch = this.kind === "optimised" && this.strip.match === index;
      const shares = state.overlap === null ? "" : `, shares ${state.overlap}`;
      setText(title, `${index} · ${state.move || "solved"}`);
      setText(text, state.overlap === null ? "" : `${isMatch ? "match, " : ""}shares ${state.overlap}`);
      card.classList.toggle("sokoviz-now", index === this.at);
      card.classList.toggle("sokoviz-match-state", isMatch);
      const words = `State ${index}${shares}${isMatch ? ", matches the position" : ""}${state.move ? `, then ${state.move}` : ", solved"}`;
      setAttribute(card, "aria-label", words);
      setAttribute(card, "aria-current", index === this.at ? "step" : "false");
      sheet.show(state.picture, words);
    };
    return { show, cleanup: all(sheet.cleanup, () => item.remove()) };
  }
}
