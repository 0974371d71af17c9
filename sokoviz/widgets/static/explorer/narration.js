/** The narration: one plain sentence a phase. It keeps room for three lines, so that nothing below it jumps. */
import { all, html, listen, setAttribute } from "../shared/dom.js";
import { follow } from "../shared/model.js";

const ROLES = ["strong", "now", "new", "dead"];

/** Mount the narration; the model has `story`: a heading, and a sentence as runs of text with their roles. */
export function mount(element, model) {
  const line = html("div", { class: "sokoviz-narration", role: "status" });
  let drawn = "";
  let isScrolled = false; // noted when it happens: to ask at each step would have the page laid out once more
  const update = () => {
    // Whoever listens is not talked over while steps follow each other.
    setAttribute(line, "aria-live", model.get("playing") ? "off" : "polite");
    const { heading, runs } = model.get("story");
    const story = JSON.stringify([heading, runs]);
    if (story === drawn) return;
    drawn = story;
    line.replaceChildren(...sentence(heading, runs));
    if (isScrolled) line.scrollTop = 0;
  };
  update();
  element.append(line);
  const off = listen(line, "scroll", () => { isScrolled = line.scrollTop > 0; });
  return all(off, follow(model, ["story", "playing"], update), () => line.remove());
}

/** Heading and runs as elements; a role that is unknown is plain text. */
function sentence(heading, runs) {
  const lead = heading ? [html("strong", { class: "sokoviz-role-now" }, `${heading}:`), " "] : [];
  const words = runs.map(([text, role]) =>
    ROLES.includes(role) ? html("strong", { class: `sokoviz-role-${role}` }, text) : text,
  );
  return [...lead, ...words];
}
