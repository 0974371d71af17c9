/** The small model over values in memory, for pages without a kernel: nobody answers, and nothing is lost by that. */

/** A model with get, set, on, send and onMessage; `isAlone` tells that there is no kernel. */
export function makeMemoryModel(values) {
  const known = { ...values };
  const handlers = new Map();
  return {
    isAlone: true,
    get: (name) => known[name],
    set: (name, value) => {
      if (Object.is(known[name], value)) return;
      known[name] = value;
      for (const handler of [...(handlers.get(name) ?? [])]) handler();
    },
    on: (name, handler) => {
      if (!handlers.has(name)) handlers.set(name, new Set());
      handlers.get(name).add(handler);
      return () => handlers.get(name).delete(handler);
    },
    send: () => {},
    onMessage: () => () => {},
  };
}
