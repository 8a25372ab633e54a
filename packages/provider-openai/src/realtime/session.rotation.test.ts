import type { ModelEvent } from "@cogency/provider";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished } from "vitest";
import { request } from "../../test/support/realtime-endpoint.ts";
import { failed, realtimeServer } from "../../test/support/realtime-server.ts";
import { openai } from "../openai.ts";

const keys = ["sk-canary-one-of-two", "sk-canary-two-of-two"];

describe("a Realtime session over several keys", () => {
  it("continues with another key, and outlives its connections with that key too", async () => {
    const server = await realtimeServer({
      answer: (text, asked) =>
        asked === 1 ? { pieces: [], done: failed("rate_limit_exceeded", "Slow.") } : { pieces: [`${text}!`] },
    });
    const provider = openai({ api: "realtime", baseURL: server.url.href, apiKey: keys });
    const session = await provider.connect?.(request);
    if (!session) throw new Error("no session");
    onTestFinished(() => session.close());
    const told: ModelEvent[][] = [];
    for (const text of ["one", "two", "three", "four"]) {
      if (text === "four") await server.drop();
      told.push(await collect(session.send(text)));
    }
    expect(told.map(textOf)).toEqual(["one!", "two!", "three!", "four!"]);
    expect(told[1]?.[0]).toMatchObject({ type: "retry", code: "rate_limit" });
    expect(server.sockets.map(({ headers }) => headers.authorization)).toEqual(
      [0, 1, 1].map((index) => `Bearer ${keys[index]}`),
    );
    expect(server.current.conversation.map(([, text]) => text)).toEqual([
      ...["Hello.", "Hello, you."],
      ...["one", "one!", "two", "two!", "three", "three!", "four", "four!"],
    ]);
    expect(JSON.stringify(told)).not.toContain("canary");
  });
});
