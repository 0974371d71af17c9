/** A page without a kernel: an explorer over the record that is attached to it, and what the record holds. */
import { attachedBytes, readAttached } from "../shared/attached.js";
import { html } from "../shared/dom.js";
import { makeRecordedModel } from "./recorded.js";

/**
 * Show the record.
 *
 * @param mount mounts an explorer on a model
 * @param Moment what is known of a moment of its record
 */
export async function openRecorded(mount, Moment) {
  const place = document.getElementById("sokoviz");
  const { note } = JSON.parse(document.getElementById("sokoviz-values").textContent);
  const readPart = (number) => readAttached(`part-${number}`);
  const model = await makeRecordedModel(await readAttached("record"), readPart, () => attachedBytes("plotly"), Moment);
  mount(place, model);
  place.append(html("footer", { class: "sokoviz sokoviz-recorded" }, note));
}
