/** The explorer on a page without a kernel: a recorded search is in it. */
import { mount } from "./explorer_view.js";
import { RecordedMoment } from "./recorded_look.js";
import { openRecorded } from "./recorded_page.js";

await openRecorded(mount, RecordedMoment);
