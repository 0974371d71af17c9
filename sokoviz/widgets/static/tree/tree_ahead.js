/**
 * A frame drawn ahead of plotly: on the screen first, and in plotly's books when it is there.
 *
 * Most of the time that plotly takes over a frame goes into what does not change from one to the next: defaults of all
 * attributes, the axes, what can be dragged. Here its own functions draw the traces alone, which is what a click waits
 * for. The same frame is given to plotly afterwards, so that zoom, glides and all else find it as if plotly had drawn it.
 */

const PARTS = ["marker", "line", "textfont"];

/** Remember what plotly has made of traces; the next ones may then be drawn ahead of it. */
export function noteDrawn(plot) {
  plot.patterns ??= new Map();
  for (const trace of plot._fullData) plot.patterns.set(trace.uid, trace);
}

/**
 * Draw traces ahead of plotly, where it has drawn their likes before.
 *
 * @param ranges {x, y} that the traces are meant for; where the reader is just zooming, the axes have others
 * @returns whether that was possible; if not, nothing has changed
 */
export function drawAhead(plot, data, { x, y }) {
  const patterns = data.map(({ uid }) => plot.patterns.get(uid));
  if (!plot.lastSubplot || !patterns.every((pattern) => pattern?._module.calc)) return false;
  const { subplot, layer } = plot.lastSubplot;
  if (String([subplot.xaxis.range, subplot.yaxis.range]) !== String([x, y])) return false;
  const traces = data.map((trace, index) => completed(trace, patterns[index]));
  traces[0]._module.plot(plot, subplot, traces.map((trace) => pointsOf(plot, trace)), layer);
  return true;
}

/** A trace with all that plotly has added to the last one of its kind. */
function completed(trace, pattern) {
  const parts = PARTS.filter((name) => trace[name]).map((name) => [name, { ...pattern[name], ...trace[name] }]);
  const made = { ...pattern, ...trace, ...Object.fromEntries(parts), _length: trace.x.length };
  if (trace.marker?.line) made.marker.line = { ...pattern.marker.line, ...trace.marker.line };
  return made;
}

/** The points of a trace as plotly computes them. */
function pointsOf(plot, trace) {
  const points = trace._module.calc(plot, trace);
  Object.assign(points[0], { trace, t: points[0].t ?? {} });
  return points;
}
