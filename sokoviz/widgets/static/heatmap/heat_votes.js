/** Who voted for the selected move: each episode as a small board at the state that matches best. */
import { makeButton } from "../shared/buttons.js";
import { all, html, icon, setAttribute, setText } from "../shared/dom.js";
import { follow } from "../shared/model.js";
import { counted } from "../shared/numbers.js";
import { makeSheet } from "./sheet.js";

const EMPTY = "Choose a move in the list, or its arrow on the board, to see which episodes voted for it.";

/** Mount the votes; the model has `voters` and `record`; `open` is called with the number of an episode. */
export function mount(element, model, open) {
  return new VotesPart(element, model, open).cleanup;
}

class VotesPart {
  constructor(element, model, open) {
    Object.assign(this, { model, open, cards: [] });
    this.note = html("span", { class: "sokoviz-note" });
    this.text = html("p", { class: "sokoviz-vote-sentence" });
    this.list = html("div", { class: "sokoviz-vote-list", role: "list" });
    const turn = (by) => () => model.send({ kind: "votes", page: model.get("voters").page + by });
    this.back = makeButton("Previous votes", "Votes before these", [icon("back")], turn(-1));
    this.next = makeButton("Next votes", "Votes after these", [icon("play")], turn(1));
    this.place = html("span", { class: "sokoviz-vote-place" });
    this.pager = html("span", { class: "sokoviz-row sokoviz-pager", role: "group", "aria-label": "Pages of votes" }, this.back, this.place, this.next);
    const line = html("div", { class: "sokoviz-vote-line" }, this.text, this.pager);
    this.box = html("div", { class: "sokoviz-votes" }, line, this.list);
    element.append(this.box);
    this.update();
    this.cleanup = all(follow(model, ["voters", "record"], () => this.update()), () => this.clear(), () => this.box.remove());
  }

  clear() {
    for (const card of this.cards) card.cleanup();
    this.cards = [];
  }

  update() {
    const [voters, record] = [this.model.get("voters"), this.model.get("record")];
    const isKnown = Boolean(voters.move);
    const filtered = voters.filtered ? ` ${counted(voters.filtered, "more vote")} filtered out: the target is a goal of the episode, but not of this board.` : "";
    setText(this.note, filtered);
    this.tellWhy(isKnown ? voters.sentence : record.busy ? record.text : EMPTY, isKnown ? voters.move : "");
    this.pager.classList.toggle("sokoviz-away", !(voters.pages > 1));
    setText(this.place, `${(voters.page ?? 0) + 1} / ${voters.pages ?? 1}`);
    setAttribute(this.back, "aria-disabled", !voters.page);
    setAttribute(this.next, "aria-disabled", !(voters.page + 1 < voters.pages));
    this.list.style.setProperty("--sokoviz-cards", voters.a_page ?? 1);
    this.showCards(voters.votes ?? []);
  }

  /** The sentence with the numbers, the move in its colour. */
  tellWhy(sentence, move) {
    if (this.told === sentence) return;
    this.told = sentence;
    const parts = move && sentence.startsWith(move) ? [html("b", {}, move), sentence.slice(move.length)] : [sentence];
    this.text.replaceChildren(...parts, this.note);
  }

  showCards(votes) {
    while (this.cards.length > votes.length) this.cards.pop().cleanup();
    votes.forEach((vote, index) => {
      this.cards[index] ??= this.addCard(vote);
      this.cards[index].show(vote);
    });
  }

  addCard(first) {
    const sheet = makeSheet(first.picture);
    const title = html("b");
    const text = html("span");
    const card = html("button", { type: "button", class: "sokoviz-vote" }, sheet.element, html("span", { class: "sokoviz-vote-caption" }, title, text));
    const item = html("div", { role: "listitem" }, card);
    this.list.append(item);
    let shown = null;
    card.addEventListener("click", () => this.open(shown.episode));
    const show = (vote) => {
      shown = vote;
      setText(title, `Episode ${vote.episode}`);
      setText(text, `shares ${vote.overlap} of ${vote.boxes}`);
      const words = `Episode ${vote.episode}: ${counted(vote.boxes, "box", "boxes")}, state ${vote.index} shares ${vote.overlap}, ${counted(vote.left, "move")} left`;
      setAttribute(card, "aria-label", words);
      setAttribute(card, "title", `${words}. Shared boxes are ringed. Click to play the episode.`);
      sheet.show(vote.picture, words);
    };
    return { show, cleanup: all(sheet.cleanup, () => item.remove()) };
  }
}
