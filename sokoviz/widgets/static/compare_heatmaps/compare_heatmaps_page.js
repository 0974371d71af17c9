/** Heatmaps compared, on a page without a kernel: all stages are in it. */
import { makeMemoryModel } from "../shared/memory.js";
import { mount } from "./compare_heatmaps_view.js";

const REST = { playing: false, trouble: { summary: "", details: "" } };

mount(document.getElementById("sokoviz"), makeMemoryModel({ ...JSON.parse(document.getElementById("sokoviz-values").textContent), ...REST }));
