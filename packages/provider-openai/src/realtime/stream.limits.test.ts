import { createServer } from "node:http";
import { inspect } from "node:util";
import { listen } from "@tooling/loopback";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished } from "vitest";
import { canary, endpointOf, failureOf, openSession, request } from "../../test/support/realtime-endpoint.ts";
import { realtimeConnect } from "./stream.ts";

describe("a limit of size over Realtime", () => {
  const pieces = Array<string>(50).fill("x".repeat(100));

  it("ends a send whose text is too long, with the partial text", async () => {
    const { session } = await openSession({ answer: () => ({ pieces }), limits: { answerCharacters: 1_000 } });
    const events: { type: string; text?: string }[] = [];
    const failure = await failureOf(collect(session.send("Go."), events as never));
    const told = events.map(({ text = "" }) => text).join("");
    expect(failure).toMatchObject({ code: "answer_too_large", retryable: false, partial: told });
    expect(String(failure)).toContain("`limits.answerCharacters`");
    expect(told).toHaveLength(1_000);
  });

  it("applies to each send separately", async () => {
    const { session } = await openSession({ answer: () => ({ pieces }), limits: { answerCharacters: 5_000 } });
    for (let round = 0; round < 3; round++) expect(await collect(session.send("Go."))).not.toEqual([]);
  });

  it.each<[what: string, limits: object, name: string]>([
    ["a message that is too long", { eventBytes: 400 }, "eventBytes"],
    ["messages that are too much together", { answerBytes: 5_000 }, "answerBytes"],
  ])("ends a send with %s", async (_, limits, name) => {
    const long = name === "eventBytes" ? ["y".repeat(2_000)] : pieces;
    const { session, server } = await openSession({ answer: () => ({ pieces: long }), limits });
    const failure = await failureOf(collect(session.send("Go.")));
    expect(failure).toMatchObject({ code: "answer_too_large", retryable: false });
    expect(String(failure)).toContain(`\`limits.${name}\``);
    await expect.poll(() => server.current.socket.readyState).toBe(3);
  });

  it("ends a send with a message that is nested too deeply", async () => {
    const { session, server } = await openSession({
      intercept: ({ type }) => {
        if (type !== "response.create") return undefined;
        server.current.socket.send(`{"type":"x","y":${"[".repeat(600)}${"]".repeat(600)}}`);
        return [];
      },
    });
    await expect(collect(session.send("Go."))).rejects.toMatchObject({ code: "answer_too_large" });
  });

  it("leaves the send that was too large out of the conversation", async () => {
    let size = 50;
    const answer = () => ({ pieces: pieces.slice(0, size) });
    const { session } = await openSession({ answer, limits: { answerCharacters: 1_000 } });
    await failureOf(collect(session.send("Go.")));
    size = 2;
    const events = await collect(session.send("Once more."));
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });
});

describe("a Realtime handshake", () => {
  async function answered(status: number, headers: Record<string, string>, body: string) {
    const asked: string[] = [];
    const server = createServer().on("upgrade", (upgrade, socket) => {
      asked.push(String(upgrade.headers.authorization));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.on("error", () => {});
      socket.end(`HTTP/1.1 ${status} No\r\n${lines.join("")}content-length: ${body.length}\r\n\r\n${body}`);
    });
    const { url } = await listen(server, { onEnd: onTestFinished });
    return { url: new URL(`${url}/v1`), asked };
  }

  it.each([301, 302, 307, 308])("follows no redirect: HTTP %i", async (status) => {
    const target = await answered(401, {}, "");
    const location = `${target.url.origin}/v1/realtime?key=${canary}`;
    const { url } = await answered(status, { location }, "");
    const failure = await failureOf(realtimeConnect(endpointOf(url))(request));
    expect(failure).toMatchObject({ code: "bad_response", status, retryable: false });
    expect(String(failure)).toContain(`redirects to ${target.url.origin} (HTTP ${status})`);
    expect(inspect(failure, { showHidden: true, depth: 20 })).not.toMatch(/canary|\/v1\/realtime/);
    expect(target.asked).toEqual([]);
  });

  it("refuses a refusal whose body is too long", async () => {
    const { url } = await answered(500, {}, "x".repeat(20_000));
    const connect = realtimeConnect(endpointOf(url, {}, {}, { errorBytes: 10_000 }));
    const failure = await failureOf(connect(request));
    expect(failure).toMatchObject({ code: "answer_too_large", status: 500 });
    expect(String(failure)).toContain("`limits.errorBytes`");
  });

  it("reports a header that is larger than Node.js accepts", async () => {
    const { url } = await answered(500, { "x-huge": "h".repeat(100_000) }, "");
    const failure = await failureOf(realtimeConnect(endpointOf(url))(request));
    expect(failure).toMatchObject({ code: "answer_too_large", retryable: false });
  });
});
