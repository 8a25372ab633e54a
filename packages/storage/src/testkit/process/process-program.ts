/**
 * What another process runs: it opens the store and does what it is asked to, one thing after another. A text and no
 * file, so that it runs from wherever and in whatever form the kit was installed.
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
  if (method === "appendAll") {
    for (const batch of args[0]) await store.append(...batch);
    return undefined;
  }
  const value = await store[method](...args);
  return method === "lease" ? { owner: value.owner, token: value.token, expiresAt: value.expiresAt } : value;
}

function failureOf(error) {
  return { ...error, name: error?.name, message: String(error?.message ?? error), code: error?.code, cause: undefined };
}
`;
