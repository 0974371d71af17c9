/** Heatmaps compared, in a notebook. */
import { adapt } from "../shared/model.js";
import { mount } from "./compare_heatmaps_view.js";

export default { render: ({ model, el }) => mount(el, adapt(model)) };
