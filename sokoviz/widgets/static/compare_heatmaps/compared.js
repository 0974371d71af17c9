/** What a comparison of heatmaps shows at a moment, computed from its model alone. */
import { makeScale, sharesOf, similarity } from "../heatmap/heat_scale.js";

/** Whether the learners have been asked yet. */
export function isKnown(model) {
  return model.get("views").every(({ frames }) => frames.length > 0);
}

/** The frame that each view shows. */
export function framesOf(model) {
  const stages = model.get("stages");
  return model.get("views").map(({ frames }, index) => frames[Math.min(stages[index], frames.length) - 1]);
}

/**
 * All that is drawn: {frames, shares, scale, changes, changeScale, similarities}; those with one entry a view begin with
 * the first, those of differences with the second.
 *
 * Scales span all stages of all views, so that nothing changes its colour when another stage is looked at.
 */
export function compared(model) {
  const [ends, isLogarithmic] = [model.get("ends"), model.get("logarithmic")];
  const frames = framesOf(model);
  const shares = frames.map((frame) => sharesOf(frame, ends));
  const everything = model.get("views").flatMap((view) => view.frames);
  const scale = makeScale(everything.map((frame) => sharesOf(frame, ends)), everything, isLogarithmic);
  const [first, ...others] = shares;
  const changes = others.map((other) => other.map((share, index) => share - first[index]));
  const changeScale = makeScale(changes.map((each) => each.map(Math.abs)), frames, isLogarithmic);
  return { frames, shares, scale, changes, changeScale, similarities: others.map((other) => similarity(first, other)) };
}

/** Put a view at a stage. */
export function showStage(model, index, stage) {
  stepStages(model, [index], () => stage);
}

/** Put views at other stages, all at once; `step` gives the next stage of one, and the last one is not passed. */
export function stepStages(model, views, step) {
  const [stages, counts] = [[...model.get("stages")], stageCounts(model)];
  for (const index of views) stages[index] = Math.min(step(stages[index]), counts[index]);
  model.set("stages", stages);
}

/** How many stages each view has. */
export function stageCounts(model) {
  return model.get("views").map(({ frames }) => Math.max(frames.length, 1));
}
