import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectRaw, type Peer, silent } from "../../../test/support/raw-server.ts";
import { keepListening } from "./keep-listening.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that hears of changed tools; `refused` are streams that the server does not open. */
async function listening(refused: readonly unknown[] = []) {
  const opened: unknown[] = [];
  const state = { isOver: false, missed: 0 };
  let peer: Peer | undefined;
  const client = await connectRaw(
    ({ method, params, id }, own) => {
      peer = own;
      if (method !== "subscriptions/listen") return {};
      if (refused.includes(id)) throw { code: -32603, message: "Not now." };
      opened.push(id);
      const { notifications } = params;
      own.notify("notifications/subscriptions/acknowledged", {
        notifications,
        _meta: { [SUBSCRIPTION_ID_META_KEY]: id },
      });
      return silent;
    },
    (prepared) => {
      prepared.setNotificationHandler("notifications/tools/list_changed", () => {});
    },
    { revision: "2026-07-28", listChanged: { tools: { autoRefresh: false, onChanged: () => {} } } },
  );
  keepListening(
    client,
    () => state.isOver,
    () => {
      state.missed += 1;
    },
  );
  const end = async (stream: string) => {
    peer?.notify("notifications/cancelled", { requestId: stream });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { client, opened, state, end };
}

describe("keepListening", () => {
  it("opens a stream again that the server has ended, and says that something may have been missed", async () => {
    const { opened, state, end } = await listening();
    await end("listen:0");
    expect([opened, state.missed]).toEqual([["listen:0"], 0]);
    await vi.advanceTimersByTimeAsync(2000);
    expect([opened, state.missed]).toEqual([["listen:0", "listen:1"], 1]);
  });

  it("tries again where the server does not open it", async () => {
    const { opened, end } = await listening(["listen:1", "listen:2"]);
    await end("listen:0");
    await vi.advanceTimersByTimeAsync(2000 + 4000 + 8000);
    expect(opened).toEqual(["listen:0", "listen:3"]);
  });

  it.each([
    [
      "another client is connected",
      async ({ state, end }: Awaited<ReturnType<typeof listening>>) => {
        state.isOver = true;
        await end("listen:0");
      },
    ],
    [
      "it was closed here",
      async ({ client }: Awaited<ReturnType<typeof listening>>) => {
        await client.autoOpenedSubscription?.close();
      },
    ],
  ])("opens nothing where %s", async (_, finish) => {
    const listener = await listening();
    await finish(listener);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listener.opened).toEqual(["listen:0"]);
  });
});
