import { setTimeout } from "node:timers/promises";
import { createDatabase, type PostgresServer, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres } from "@tooling/postgres/describe";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { isFollowed, type LiveRun, liveRun, liveScreen } from "./support/live-run.ts";
import { upTo } from "./support/samples.ts";
import { tcpProxy } from "./support/tcp-proxy.ts";
import { openStore } from "./support/test-store.ts";

const key = { conversation: "c" };

describeOwnPostgres("live pieces over connections that do not last", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("are whole again after each restart of the server, and runs go on meanwhile", async () => {
    const url = await database();
    const [store, other] = [await openStore({ url, retryFor: 90_000 }), await openStore({ url, retryFor: 90_000 })];
    const run = liveRun(store, key);
    const screen = liveScreen(other, key);
    await isFollowed(run);
    const writing = writeOn(run);
    for (const how of ["fast", "immediate", "kill"] as const) {
      await server.restart(how);
      run.write(`after ${how}`);
      await vi.waitFor(() => expect(screen.shown.get("run")).toContain(`after ${how}`), { timeout: 120_000 });
    }
    await writing.end();
    await screen.catchesUp(run);
  });

  it("are whole again after connections were cut, on either side", async () => {
    const url = await database();
    const [here, there] = [await tcpProxy(url), await tcpProxy(url)];
    for (const proxy of [here, there]) onTestFinished(() => proxy.close());
    const store = await openStore({ url: here.url, retryFor: 90_000 });
    const other = await openStore({ url: there.url, retryFor: 90_000 });
    const run = liveRun(store, key);
    const screen = liveScreen(other, key);
    await isFollowed(run);
    const writing = writeOn(run);
    for (const round of upTo(10)) {
      (round % 2 ? here : there).cutAll(round % 3 ? "reset" : "end");
      await setTimeout(100);
    }
    await writing.end();
    await screen.catchesUp(run);
  });

  it("are dropped while the server hangs, and whole again afterwards", async () => {
    const url = await database();
    const proxy = await tcpProxy(url);
    onTestFinished(() => proxy.close());
    const [store, other] = [await openStore({ url: proxy.url }), await openStore({ url })];
    const run = liveRun(store, key);
    const screen = liveScreen(other, key);
    await isFollowed(run);
    proxy.freeze();
    // Writing waits for nothing: it returns no promise.
    for (const _ of upTo(30)) run.write("x".repeat(100_000));
    proxy.thaw();
    await screen.catchesUp(run);
  });

  async function database(): Promise<string> {
    return (await createDatabase(server.url)).url;
  }
});

/** Writes a word thirty times a second. */
function writeOn(run: LiveRun): { end(): Promise<void> } {
  let isEnding = false;
  const writing = (async () => {
    for (let word = 0; !isEnding; word++) {
      run.write(`word ${word} `);
      await setTimeout(33);
    }
  })();
  return {
    end: () => {
      isEnding = true;
      return writing;
    },
  };
}
