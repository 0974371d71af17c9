/** The explorer of iterative deepening on a page without a kernel: a recorded search is in it. */
import { openRecorded } from "../explorer/recorded_page.js";
import { mount } from "./deepening_view.js";
import { RecordedStep } from "./recorded_step.js";

await openRecorded(mount, RecordedStep);
