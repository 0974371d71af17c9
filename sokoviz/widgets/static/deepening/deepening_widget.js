/** The explorer of iterative deepening, in a notebook. */
import { adapt } from "../shared/model.js";
import { mount } from "./deepening_view.js";

export default { render: ({ model, el }) => mount(el, adapt(model)) };
