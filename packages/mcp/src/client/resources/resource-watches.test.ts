import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { linkTo } from "../../../test/support/link.ts";
import { connectRaw, type Peer, type Revision, silent } from "../../../test/support/raw-server.ts";
import { resourceWatches } from "./resource-watches.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function watching(revision: Revision = "2025-11-25") {
  const told: string[] = [];
  const heard: string[] = [];
  let peer: Peer | undefined;
  let stream: unknown;
  const watches = resourceWatches(
    linkTo(() => client),
    (uri) => heard.push(uri),
  );
  const client = await connectRaw(
    ({ method, params, id }, own) => {
      peer = own;
      if (/^resources\/(un)?subscribe$/.test(method)) told.push(`${method} ${params.uri}`);
      if (method === "notifications/cancelled") told.push(`end ${params.requestId}`);
      if (method !== "subscriptions/listen") return {};
      const { notifications } = params as { notifications: { resourceSubscriptions: string[] } };
      stream = id;
      told.push(`${id} ${notifications.resourceSubscriptions.join()}`);
      own.notify("notifications/subscriptions/acknowledged", {
        notifications,
        _meta: { [SUBSCRIPTION_ID_META_KEY]: id },
      });
      return silent;
    },
    watches.attach,
    { revision },
  );
  const update = async (uri: string) => {
    peer?.notify("notifications/resources/updated", { uri });
    await vi.advanceTimersByTimeAsync(0);
  };
  const endStream = async () => {
    peer?.notify("notifications/cancelled", { requestId: stream });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { watches, told, heard, update, endStream, client };
}

describe("resources that are watched", () => {
  it("2025-11-25: are told of until the last watch ends, and no others", async () => {
    const { watches, told, heard, update } = await watching();
    const end = await watches.watch("test://a");
    const again = await watches.watch("test://a");
    await update("test://a");
    await update("test://other");
    await end();
    await end();
    expect([told, heard]).toEqual([["resources/subscribe test://a"], ["test://a"]]);
    await again();
    await update("test://a");
    expect(told).toEqual(["resources/subscribe test://a", "resources/unsubscribe test://a"]);
    expect(heard).toEqual(["test://a"]);
  });

  it("2026-07-28: are told of in one stream, which names all of them", async () => {
    const { watches, told, heard, update } = await watching("2026-07-28");
    const ends = await Promise.all([watches.watch("test://a"), watches.watch("test://b")]);
    await update("test://b");
    await ends[0]();
    await update("test://a");
    await ends[1]();
    expect(heard).toEqual(["test://b"]);
    expect(told).toEqual([
      "listen:0 test://a,test://b",
      "end listen:0",
      "listen:1 test://a,test://b",
      "end listen:1",
      "listen:2 test://b",
      "end listen:2",
    ]);
  });

  it("2026-07-28: are told of again when the stream has ended", async () => {
    const { watches, told, heard, update, endStream } = await watching("2026-07-28");
    await watches.watch("test://a");
    await endStream();
    expect(told).toEqual(["listen:0 test://a"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(told).toEqual(["listen:0 test://a", "listen:1 test://a"]);
    await update("test://a");
    expect(heard).toEqual(["test://a"]);
    await endStream();
    watches.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(2);
  });

  it("are told of at most once a second, and the last change is not lost", async () => {
    const { watches, heard, update } = await watching();
    await watches.watch("test://a");
    for (let at = 0; at < 100; at++) await update("test://a");
    expect(heard).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard).toHaveLength(2);
    watches.close();
  });

  it("are subscribed again after a reconnection", async () => {
    const { watches, told, client } = await watching();
    await watches.watch("test://a");
    await watches.restore(client);
    expect(told).toEqual(["resources/subscribe test://a", "resources/subscribe test://a"]);
  });

  it("are refused by a server without subscriptions", async () => {
    const { watches, client } = await watching();
    client.getServerCapabilities = () => ({ resources: {} });
    await expect(watches.watch("test://a")).rejects.toMatchObject({
      code: "not_found",
      message: "The server github does not tell of changes of its resources.",
    });
  });

  it("are a hundred at most", async () => {
    const { watches } = await watching();
    for (let at = 0; at < 100; at++) await watches.watch(`test://${at}`);
    await expect(watches.watch("test://100")).rejects.toMatchObject({ code: "too_large" });
    await watches.watch("test://99");
    watches.close();
  });
});
