/** What stands in a tree's place until plotly.js has arrived. */
import { html, setText } from "../shared/dom.js";

const LATE = 6000; // milliseconds after which it is worth asking again

export class Placeholder {
  /** @param retry called when the reader asks for another try */
  constructor(element, retry) {
    this.text = html("p");
    this.button = html("button", { type: "button", class: "sokoviz-button", hidden: true }, "Try again");
    this.button.addEventListener("click", retry);
    this.box = html("div", { class: "sokoviz-placeholder", role: "status" }, this.text, this.button);
    element.append(this.box);
  }

  wait() {
    this.hasFailed = false;
    this.show("Loading the drawing library, once for this page …", false);
    this.timer = setTimeout(() => this.show("The drawing library has not come yet; the kernel may be busy.", true), LATE);
  }

  fail(error) {
    this.hasFailed = true;
    this.show(`The drawing library could not be loaded: ${error.message}`, true);
  }

  show(text, mayRetry) {
    clearTimeout(this.timer);
    setText(this.text, text);
    this.button.hidden = !mayRetry;
  }

  done() {
    this.stop();
    this.box.hidden = true;
  }

  stop() {
    clearTimeout(this.timer);
  }
}
