import { memoryStore } from "@cogency/storage";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "@cogency/worker/testkit";
import { createClient } from "@redis/client";
import { describeRedis, redisUrl } from "@tooling/redis/describe";
import { expect, it } from "vitest";
import { redisDispatcher } from "./index.ts";

describeRedis("redisDispatcher", () => {
  let names = 0;
  const make = async () => {
    const store = memoryStore();
    const name = `case ${++names}`;
    const open = async () => {
      const dispatcher = await redisDispatcher({ url: redisUrl(), name });
      return { store, dispatcher, close: () => dispatcher.close() };
    };
    return { open };
  };
  // `pnpm soak` runs those that take processes and restarts.
  const cases = dispatcherConformance("redis", make, { ...withoutProcesses, ...withoutRestart });
  for (const { name, run } of cases) it.concurrent(name, run);

  it("keeps wakes of a conversation that wait for the same time once, on the client of the caller, and leaves it open", async () => {
    const client = await createClient({ url: redisUrl() }).connect();
    const { wake, work, close } = await redisDispatcher({ client, name: "waiting" });
    const at = Date.now() + 60_000;
    for (const reason of ["inbox", "timer:a"]) {
      await wake({ conversation: "c" }, { reason });
      await wake({ conversation: "c" }, { reason, at });
    }
    const counts = async () => [await client.zCard("{waiting}:wakes"), await client.zCard("{waiting}:later")];
    expect(await counts()).toEqual([1, 1]);
    const { promise: isCalled, resolve } = Promise.withResolvers<void>();
    const stop = await work(async () => resolve());
    await isCalled;
    await stop();
    await close();
    expect(await counts()).toEqual([0, 1]);
    client.destroy();
  });

  it("says why it cannot begin", async () => {
    await expect(redisDispatcher({ url: "redis://127.0.0.1:1" })).rejects.toThrow("127.0.0.1:1");
  });
});

it.each<[string, unknown, string]>([
  ["another word for the address", { uri: "redis://h" }, "Did you mean `url`?"],
  ["neither address nor client", {}, "`url`"],
  ["a client of another library", { client: { get() {} } }, "`client`"],
])("refuses %s, and says what to write", async (_, options, answer) => {
  await expect(redisDispatcher(options as never)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining(answer),
  });
});
