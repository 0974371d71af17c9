/**
 * Loads plotly.js once a page. Python sends the bundle of the installed plotly package as one gzipped buffer, so
 * nothing is fetched from elsewhere, and nothing of it enters a widget's state or a notebook.
 */

const PATIENCE = 5000; // milliseconds after which somebody new asks again: the first request may be lost

/** The request of this page: who waits for plotly.js, who has asked, and what comes of it. */
function request() {
  globalThis.__sokovizPlotlyRequest ??= openRequest();
  return globalThis.__sokovizPlotlyRequest;
}

function openRequest() {
  const opened = { waiting: new Map(), asker: null, askedAt: -Infinity, unpacking: false };
  opened.promise = new Promise((resolve, reject) => Object.assign(opened, { resolve, reject }));
  return opened;
}

/**
 * The Plotly object.
 *
 * @param model asks by `send({kind: "plotly"})` and is answered by a message of that kind with one buffer
 * @param signal an AbortSignal: whoever asked and goes away leaves the request to the next who waits
 * @returns a promise; it is rejected where what came is no plotly.js, and then the next call asks anew
 */
export function loadPlotly(model, signal) {
  if (globalThis.__sokovizPlotly) return Promise.resolve(globalThis.__sokovizPlotly);
  const current = request();
  const key = {};
  const off = model.onMessage((content, buffers) => {
    if (content?.kind === "plotly") take(current, buffers);
  });
  const leave = () => {
    off();
    current.waiting.delete(key);
    if (current.asker === key) handOver(current);
  };
  current.waiting.set(key, model);
  signal?.addEventListener("abort", leave, { once: true });
  if (performance.now() - current.askedAt > PATIENCE) ask(current, key);
  return current.promise.finally(() => {
    signal?.removeEventListener("abort", leave);
    off();
  });
}

/** Ask again, by hand: after a restart of the kernel the first request is lost. */
export function askAgain(model) {
  if (!globalThis.__sokovizPlotly) model.send({ kind: "plotly" });
}

function ask(current, key) {
  current.asker = key;
  current.askedAt = performance.now();
  current.waiting.get(key).send({ kind: "plotly" });
}

/** The one who asked is gone, and with it perhaps the answer: let another ask. */
function handOver(current) {
  const [next] = current.waiting.keys();
  current.asker = null;
  current.askedAt = -Infinity;
  if (next && !current.unpacking) ask(current, next);
}

/**
 * Let plotly style a plot's points once a drawing instead of twice.
 *
 * It styles each point where it places it, and all of them again in a pass over the finished plot, which is for edits of
 * styles alone and takes a third of the time. Should a later version have no such pass, nothing is left out.
 */
export function styleOnce(plot) {
  plot.isStyledOnce = true;
  const module = plot._fullData?.[0]?._module;
  if (!module?.style || module.style.mayBeLeftOut) return;
  const { style } = module;
  module.style = (styled, ...others) => (styled.isStyledOnce ? undefined : style(styled, ...others));
  module.style.mayBeLeftOut = true;
}

/** Unpack and run the first answer that arrives. */
async function take(current, buffers) {
  if (current.unpacking) return;
  current.unpacking = true;
  try {
    if (!buffers?.length) throw new Error("expected plotly.js as one gzipped buffer, found no buffer");
    globalThis.__sokovizPlotly = evaluate(await unpack(buffers[0]));
    current.resolve(globalThis.__sokovizPlotly);
  } catch (error) {
    globalThis.__sokovizPlotlyRequest = undefined;
    current.reject(error);
  }
}

function unpack(buffer) {
  const stream = new Blob([buffer]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Run the bundle as a CommonJS module, whatever loaders the page has; its global name is put back as it was. */
function evaluate(source) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "Plotly");
  const module = { exports: {} };
  try {
    new Function("module", "exports", "define", "require", source)(module, module.exports);
    const made = module.exports.react ? module.exports : globalThis.Plotly;
    if (typeof made?.react !== "function") throw new Error("expected plotly.js, found a script without Plotly.react");
    return made;
  } finally {
    if (before) Object.defineProperty(globalThis, "Plotly", before);
    else delete globalThis.Plotly;
  }
}
