/** The small model over values in memory, for pages without a kernel: nobody answers, and nothing is lost by that. */

/** A model with get, set, on, send and onMessage, and `take` for several values at once; `isAlone` tells that there is no kernel. */
export function makeMemoryModel(values) {
  const known = { ...values };
  const handlers = new Map();
  const take = (changes) => {
    const changed = Object.keys(changes).filter((name) => !Object.is(known[name], changes[name]));
    Object.assign(known, changes);
    for (const name of changed) for (const handler of [...(handlers.get(name) ?? [])]) handler();
  };
  return {
    isAlone: true,
    take,
    get: (name) => known[name],
    set: (name, value) => take({ [name]: value }),
    on: (name, handler) => {
      if (!handlers.has(name)) handlers.set(name, new Set());
      handlers.get(name).add(handler);
      return () => handlers.get(name).delete(handler);
    },
    send: () => {},
    onMessage: () => () => {},
  };
}
