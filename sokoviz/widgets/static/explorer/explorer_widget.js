/** The explorer, in a notebook. */
import { adapt } from "../shared/model.js";
import { mount } from "./explorer_view.js";

export default { render: ({ model, el }) => mount(el, adapt(model)) };
