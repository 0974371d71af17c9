/** The solution, push by push: the board and the node of the tree that it belongs to go together. */
import { giveKeysBack, makeButton, makeSwitch } from "../shared/buttons.js";
import { all, html, icon, listen, setAttribute, setText, showShare } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";

const PLAY = [
  { name: "Play solution", what: "Play the solution on the board, its path in the tree", icon: "play", words: "solution" },
  { name: "Pause solution", what: "Stop playing the solution", icon: "pause", words: "solution" },
];

/** Mount the player; the model has `solution`, `about` and `speed`. */
export function mount(element, model) {
  return new SolutionPart(element, model).cleanup;
}

class SolutionPart {
  constructor(element, model) {
    this.model = model;
    this.isPlaying = false;
    this.timer = null;
    this.build(element);
    this.update();
    this.cleanup = all(
      follow(model, ["solution", "about"], () => this.update()),
      listen(this.slider, "input", () => this.jump(Number(this.slider.value))),
      giveKeysBack(this.slider),
      () => clearTimeout(this.timer),
      () => this.box.remove(),
    );
  }

  build(element) {
    this.play = makeSwitch(PLAY, () => this.toggle());
    this.back = makeButton("Solution back", "Back by one push of the solution", [icon("stepBack")], () => this.jump(this.at - 1));
    this.step = makeButton("Solution step", "On by one push of the solution", [icon("step")], () => this.jump(this.at + 1));
    this.slider = html("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Push of the solution", title: "Go to any push of the solution" });
    this.text = html("span", { class: "sokoviz-solution-text" });
    this.box = html("div", { class: "sokoviz-solution", role: "group", "aria-label": "Solution" }, this.play.element, this.back, this.step, this.slider, this.text);
    element.append(this.box);
  }

  /** Pushes done where the board stands; before the first where it stands beside the path. */
  get at() {
    return this.model.get("solution").at ?? -1;
  }

  /** Go somewhere by hand, which ends playing. */
  jump(push) {
    this.stop();
    this.show(push);
  }

  show(push) {
    const { pushes } = this.model.get("solution");
    this.model.send({ kind: "solution", push: Math.min(Math.max(push, 0), pushes) });
  }

  stop() {
    this.isPlaying = false;
    clearTimeout(this.timer);
    this.play.show(0);
  }

  /** Play from where the board stands; from the start where it stands at the end, beside the path, or has shown none of it. */
  toggle() {
    if (this.isPlaying) return this.stop();
    const { pushes, shown } = this.model.get("solution");
    this.isPlaying = true;
    this.play.show(1);
    return this.show(shown && this.at < pushes ? this.at + 1 : 0);
  }

  /** The next push is asked for only after the one before it is there. */
  goOn() {
    clearTimeout(this.timer);
    const { pushes, at, shown } = this.model.get("solution");
    if (!shown || at === null || at >= pushes) this.stop();
    else this.timer = setTimeout(() => this.show(this.at + 1), 1000 / this.model.get("speed"));
  }

  update() {
    const { pushes = 0, moves = 0, at = null } = this.model.get("solution") ?? {};
    this.box.hidden = !this.model.get("about").solves;
    for (const button of [this.play.element, this.back, this.step]) setAttribute(button, "aria-disabled", pushes === 0);
    if (at === 0) setAttribute(this.back, "aria-disabled", true);
    if (at !== null && at === pushes) setAttribute(this.step, "aria-disabled", true);
    this.slider.disabled = pushes === 0;
    this.slider.max = Math.max(pushes, 1);
    this.slider.value = at ?? 0;
    showShare(this.slider);
    const place = at === null ? counted(pushes, "push", "pushes") : `push ${at} of ${pushes}`;
    setText(this.text, pushes ? place : "no solution yet");
    setAttribute(this.text, "title", pushes ? `solved in ${counted(pushes, "push", "pushes")}, ${counted(moves, "move")}` : "");
    setAttribute(this.slider, "aria-valuetext", this.text.textContent);
    if (this.isPlaying) this.goOn();
  }
}
