/**
 * The program of the other process: it opens the store and carries out one request after another. It is a string and
 * not a file, so that it runs however the kit was installed or bundled.
 */
export const processProgram = `
process.once("message", async ({ module, options, clockAhead }) => {
  if (clockAhead) {
    const now = Date.now;
    Date.now = () => now() + clockAhead;
  }
  try {
    const { default: open } = await import(module);
    const store = await open(options);
    let queue = Promise.resolve();
    process.on("message", ({ id, method, args }) => {
      queue = queue.then(() => doing(store, method, args)).then(
        (value) => process.send({ id, value }),
        (error) => process.send({ id, failure: failureOf(error) }),
      );
    });
    process.send({ id: 0 });
  } catch (error) {
    process.send({ id: 0, failure: failureOf(error) });
  }
});
process.once("disconnect", () => process.exit());

async function doing(store, method, args) {
  if (method in living) return living[method](store, ...args);
  if (method === "callAll") {
    for (const call of args[0]) await store[call.method](...call.args);
    return undefined;
  }
  const value = await store[method](...args);
  if (method === "lease") return { owner: value.owner, token: value.token, expiresAt: value.expiresAt };
  return method === "slot" && value ? { expiresAt: value.expiresAt } : value;
}

const writers = new Map();
const readers = new Map();
const living = {
  writeLive({ live }, key, run, text) {
    const name = JSON.stringify([key.user ?? null, key.conversation, run]);
    let writer = writers.get(name);
    if (!writer) {
      writer = { open: "" };
      writer.publisher = live.publisher(key, () => [{ type: "text", run, seq: 0, unit: 1, offset: 0, text: writer.open }]);
      writers.set(name, writer);
    }
    const offset = writer.open.length;
    writer.open += text;
    writer.publisher.publish([{ type: "text", run, seq: 0, unit: 1, offset, text }]);
  },
  followLive({ live }, key) {
    const reader = { pieces: [], moments: live.follow(key)[Symbol.asyncIterator]() };
    readers.set(JSON.stringify(key), reader);
    (async () => {
      for (;;) {
        const { done, value } = await reader.moments.next();
        if (done) return;
        reader.pieces.push(...value);
      }
    })();
  },
  livePieces: (store, key) => readers.get(JSON.stringify(key)).pieces,
  leaveLive: async (store, key) => void (await readers.get(JSON.stringify(key)).moments.return()),
};

function failureOf(error) {
  return { ...error, name: error?.name, message: String(error?.message ?? error), code: error?.code, cause: undefined };
}
`;
