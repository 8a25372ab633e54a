import type { ModelMessage } from "@cogency/protocol";
import { LLMock } from "@copilotkit/aimock";
import { collect, textOf } from "@tooling/wires/collect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointOf, failureOf } from "../../test/support/realtime-endpoint.ts";
import { realtimeConnect, realtimeStream } from "./stream.ts";

/** A server of the same wire that others wrote. */
const server = new LLMock({ port: 0, chunkSize: 5 });
const endpoint = () => endpointOf(new URL(`${server.url}/v1`));
const system = "Be brief.";
const user = (content: string): ModelMessage => ({ role: "user", content });

beforeAll(async () => {
  server.onMessage("hello", { content: "Hello, how are you?" });
  server.onMessage("well", { content: "I am glad." });
  server.onMessage("busy", { error: { message: "Try later.", type: "rate_limit_error" }, status: 429 });
  server.onMessage("cut", { content: "This is never heard to its end." }, { truncateAfterChunks: 2 });
  await server.start();
});
afterAll(() => server.stop());

/** What the server's model was told, as it understood it. */
function heard(): [string, string][] {
  const body = server.getLastRequest()?.body as { messages: Heard[] } | undefined;
  return (body?.messages ?? []).map(({ role, content }) => [
    role,
    typeof content === "string" ? content : content.map(({ text }) => text).join(""),
  ]);
}

interface Heard {
  role: string;
  content: string | { text: string }[];
}

describe("Realtime against an independent server of its wire", () => {
  it("streams text in pieces, and the finish", async () => {
    const events = await collect(realtimeStream(endpoint())({ system, messages: [user("hello")] }));
    expect(textOf(events)).toBe("Hello, how are you?");
    expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(2);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", raw: "completed" });
  });

  it("keeps the conversation in the session, even after an answer that was cut", async () => {
    const session = await realtimeConnect(endpoint(), { retryDelay: 1 })({ system, messages: [user("hi")] });
    await collect(session.send("hello"));
    const failure = await failureOf(collect(session.send("cut")));
    expect(failure).toMatchObject({ code: "cut_stream", partial: expect.stringMatching(/^This/) });
    expect(textOf(await collect(session.send("I am well")))).toBe("I am glad.");
    expect(heard()).toEqual([
      ["system", system],
      ["user", "hi"],
      ["user", "hello"],
      ["assistant", "Hello, how are you?"],
      ["user", "I am well"],
    ]);
    await session.close();
  });

  it("throws the server's error", async () => {
    const stream = realtimeStream(endpoint())({ system, messages: [user("busy")] });
    await expect(collect(stream)).rejects.toMatchObject({
      code: "rate_limit",
      message: expect.stringMatching(/later/),
    });
  });

  it("names the path that the server does not have", async () => {
    const connect = realtimeConnect(endpointOf(new URL(`${server.url}/v2`)));
    await expect(connect({ system, messages: [] })).rejects.toMatchObject({ code: "not_found", status: 404 });
  });
});
