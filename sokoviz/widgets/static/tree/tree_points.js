/**
 * Circles of a trace, written straight into the page.
 *
 * Plotly sets every attribute of every point through its colour and selection helpers, 35 µs a point, whether it has
 * changed or not: most of the time of a step. Here the same elements get the same attributes, and only those that have
 * changed. The first drawing, glides, zoom and all other traces are plotly's.
 */

const QUICK = "nodes"; // uid of the trace

/** Let the circles of a plot that plotly has drawn once be drawn quickly; where a later plotly is made otherwise, it does it all. */
export function drawQuickly(plot) {
  plot.isDrawnQuickly = true;
  const module = plot._fullData?.[0]?._module;
  if (!module?.plot || module.plot.isQuick) return;
  const draw = module.plot;
  const quickly = (drawn, subplot, traces, layer, transition, ...others) => {
    if (drawn.isDrawnQuickly) drawn.lastSubplot = { subplot, layer }; // for frames ahead of plotly
    const quick = drawn.isDrawnQuickly && !transition ? quickTrace(traces, layer) : null;
    if (!quick) return draw(drawn, subplot, traces, layer, transition, ...others);
    // As a transition without duration it leaves alone what it is not told of.
    draw(drawn, subplot, traces.filter((points) => points !== quick.points), layer, { duration: 0 }, ...others);
    drawPoints(quick, subplot);
    return putInOrder(layer.node(), traces);
  };
  module.plot = quickly;
  quickly.isQuick = true;
}

const uidOf = (points) => points?.[0]?.trace?.uid;

/** The trace to be drawn quickly, its group and the group of its points; null where plotly has not drawn it before. */
function quickTrace(traces, layer) {
  const points = traces.find((each) => uidOf(each) === QUICK);
  const group = points && [...layer.node().children].find((each) => uidOf(each.__data__) === QUICK);
  const place = group?.querySelector("g.points");
  return place?.querySelector("path.point") ? { points, group, place } : null;
}

/** One element a point, each bound to its point as plotly binds it. */
function drawPoints({ points, group, place }, { xaxis, yaxis }) {
  const { node3: selection } = group.__data__[0];
  selection.selectAll("path.point").interrupt(); // a glide under way ends here
  points[0].node3 = selection;
  group.__data__ = points;
  place.__data__ = points;
  const elements = [...place.children];
  for (const surplus of elements.splice(points.length)) surplus.remove();
  while (elements.length < points.length) elements.push(place.appendChild(elements[0].cloneNode()));
  points.forEach((point, index) => {
    const element = elements[index];
    element.__data__ = point;
    point.mrc = point.ms / 2; // as plotly notes it for later
    write(element, "transform", `translate(${xaxis.c2p(point.x)},${yaxis.c2p(point.y)})`);
    write(element, "d", circle(Math.round(100 * point.mrc) / 100));
    if (element.style.fill !== point.mc) element.style.fill = point.mc;
  });
}

function write(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const circle = (r) => `M${r},0A${r},${r} 0 1,1 0,-${r}A${r},${r} 0 0,1 ${r},0Z`;

/** Groups in the order of their traces; those of traces that are no more go. */
function putInOrder(layer, traces) {
  const groupOf = new Map([...layer.children].map((group) => [uidOf(group.__data__), group]));
  const wanted = traces.map((points) => groupOf.get(uidOf(points)));
  for (const group of groupOf.values()) if (!wanted.includes(group)) group.remove();
  wanted.forEach((group, index) => {
    if (layer.children[index] !== group) layer.insertBefore(group, layer.children[index]);
  });
}
