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
  if (method === "callAll") {
    for (const call of args[0]) await store[call.method](...call.args);
    return undefined;
  }
  const value = await store[method](...args);
  if (method === "lease") return { owner: value.owner, token: value.token, expiresAt: value.expiresAt };
  return method === "slot" && value ? { expiresAt: value.expiresAt } : value;
}

function failureOf(error) {
  return { ...error, name: error?.name, message: String(error?.message ?? error), code: error?.code, cause: undefined };
}
`;
