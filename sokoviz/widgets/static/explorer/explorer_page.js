/** The explorer on a page without a kernel: a recorded search is in it. */
import { attachedBytes, readAttached } from "../shared/attached.js";
import { html } from "../shared/dom.js";
import { mount } from "./explorer_view.js";
import { makeRecordedModel } from "./recorded.js";

const place = document.getElementById("sokoviz");
const { note } = JSON.parse(document.getElementById("sokoviz-values").textContent);
const model = await makeRecordedModel(await readAttached("record"), (number) => readAttached(`part-${number}`), () => attachedBytes("plotly"));

mount(place, model);
place.append(html("footer", { class: "sokoviz sokoviz-recorded" }, note));
