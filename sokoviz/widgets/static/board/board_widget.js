/** A board to play: composes the parts, and hands each the same small model (get, set, on, send). */
import { boardWidth, mount as mountBoard } from "./board.js";
import { mount as mountControls } from "./controls.js";
import { all, html, listen, setAttribute } from "../shared/dom.js";
import { mount as mountEntry } from "./entry.js";
import { mount as mountHelp } from "./help.js";
import { adapt } from "../shared/model.js";
import { mount as mountReplay } from "./replay.js";
import { mountStatus, mountTitle } from "./status.js";
import { mount as mountTrouble } from "../shared/trouble.js";

const SIDE = 318 + 50; // pixels that the controls need beside a board, with the gaps

/** Put the controls beside the board where there is room, else below. */
function arrange(element, root, model) {
  const update = () => {
    const { picture, cell_size: size } = model.get("scene");
    const isRoomy = boardWidth(picture, size) + SIDE <= element.clientWidth;
    setAttribute(root, "data-layout", isRoomy ? "beside" : "below");
  };
  update();
  const resizes = new ResizeObserver(update);
  resizes.observe(element);
  return all(model.on("scene", update), () => resizes.disconnect());
}

/** Mount a whole board with its controls. */
export function mount(element, model) {
  // JupyterLab's shortcuts respect this attribute; some versions hear a key before it can be stopped here.
  const root = html("section", { class: "sokoviz", "aria-label": "Sokoban board", "data-lm-suppress-shortcuts": "true" });
  const side = html("div", { class: "sokoviz-side" });
  const body = html("div", { class: "sokoviz-body" });
  element.append(root);
  // Each part is in the page before it is filled, so that it can measure its room at once.
  const cleanups = [mountTitle(root, model)];
  root.append(body);
  cleanups.push(mountBoard(body, model));
  body.append(side);
  cleanups.push(
    mountStatus(side, model),
    mountControls(side, model),
    mountEntry(side, model),
    mountHelp(side),
    mountReplay(root, model),
    mountTrouble(root, model),
    arrange(element, root, model),
  );
  const stopKeys = (event) => event.stopPropagation();
  return all(...cleanups, listen(root, "keydown", stopKeys), listen(root, "keyup", stopKeys), () => root.remove());
}

export default { render: ({ model, el }) => mount(el, adapt(model)) };
