import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { readerOf } from "../../../test/support/reader-of.ts";
import { recordFetch } from "./recording.ts";
import { replayFetch } from "./replay.ts";
import type { Transcript } from "./transcript.ts";

const post = { method: "POST", body: '{"model":"acme-1"}', headers: { authorization: "Bearer sk-canary" } };

describe("recordFetch and replayFetch", () => {
  it("play back the answer of a server: status, type, and every byte in its piece", async () => {
    const pieces = ["data: one\n\n", "data: zwé\n\n", "data: 😀"];
    const { transcript, read } = await record(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "canary=1", "retry-after": "3" });
      for (const piece of pieces) {
        response.write(piece);
        await pause(10);
      }
      response.end();
    });
    const original = await read("/v1/chat?key=canary", post);
    const replayed = replayFetch(throughJson(transcript));
    const response = await replayed.fetch("http://elsewhere.test/v1/chat", post);
    expect(response.status).toBe(200);
    expect([...response.headers]).toEqual([
      ["content-type", "text/event-stream"],
      ["retry-after", "3"],
    ]);
    expect(await bytesOf(response)).toEqual(original);
    replayed.assertDone();
  });

  it("keep pieces that are cut within a character", async () => {
    const bytes = Buffer.from("a😀b");
    const pieces = Array.from(bytes, (_byte, index) => new Uint8Array(bytes.subarray(index, index + 1)));
    const { fetch, transcript } = recordFetch(async () => new Response(ReadableStream.from(pieces)));
    expect(await bytesOf(await fetch("http://a.test/"))).toEqual(pieces);
    expect(transcript.exchanges[0]?.response?.body[0]).toBe("a");
    expect(await bytesOf(await replayFetch(throughJson(transcript)).fetch("http://a.test/"))).toEqual(pieces);
  });

  it("record the request, and nothing that could hold a key", async () => {
    const { transcript, read } = await record((response) => response.end("Hi."));
    await read("/v1/chat?key=sk-canary", post);
    expect(transcript.exchanges).toEqual([
      {
        request: { method: "POST", path: "/v1/chat", body: '{"model":"acme-1"}' },
        response: { status: 200, headers: {}, body: ["Hi."], end: "complete" },
      },
    ]);
    expect(JSON.stringify(transcript)).not.toContain("canary");
  });

  it("send the request to the server unchanged", async () => {
    const asked = Promise.withResolvers<[string | undefined, string | undefined, string]>();
    const { url } = await serve(async (request, response) => {
      const body = await request.toArray();
      asked.resolve([request.method, request.headers.authorization, Buffer.concat(body).toString()]);
      response.end();
    });
    await (await recordFetch().fetch(new Request(url, post))).text();
    expect(await asked.promise).toEqual(["POST", "Bearer sk-canary", post.body]);
  });

  it("play back a refusal, an empty answer and a failure, in order", async () => {
    const { transcript, read, fetch, url } = await record((response, path) => {
      if (path === "/busy") response.writeHead(429, { "retry-after-ms": "20" }).end("{}");
      else if (path === "/none") response.writeHead(204).end();
      else response.destroy();
    });
    await read("/busy", post);
    await read("/none", {});
    await expect(fetch(`${url}/broken`)).rejects.toThrow(TypeError);
    const replayed = replayFetch(throughJson(transcript));
    const busy = await replayed.fetch("http://a.test/busy", post);
    expect([busy.status, busy.headers.get("retry-after-ms"), await busy.text()]).toEqual([429, "20", "{}"]);
    expect((await replayed.fetch("http://a.test/none")).body).toBeNull();
    await expect(replayed.fetch("http://a.test/broken")).rejects.toThrow(TypeError);
    replayed.assertDone();
  });

  it("play back an answer that breaks off", async () => {
    const { transcript, read } = await record((response) => {
      response.write("half");
      setTimeout(() => response.destroy(), 30);
    });
    await expect(read("/", {})).rejects.toThrow();
    const response = await replayFetch(throughJson(transcript)).fetch("http://a.test/");
    const reader = readerOf(response);
    expect(await reader.read()).toBe("half");
    await expect(reader.read()).rejects.toThrow("terminated");
  });

  it("fail where the recorded answer was left", async () => {
    const { transcript, fetch, url } = await record((response) => void response.write("half"));
    const response = await fetch(url);
    const body = response.body?.getReader();
    await body?.read();
    await body?.cancel();
    const reader = readerOf(await replayFetch(throughJson(transcript)).fetch("http://a.test/"));
    expect(await reader.read()).toBe("half");
    await expect(reader.read()).rejects.toThrow("was not read beyond this point");
  });

  it("close the connection when the recorded answer is left", async () => {
    const closed = Promise.withResolvers<void>();
    const { fetch, url } = await record((response) => {
      response.on("close", () => closed.resolve());
      response.write("half");
    });
    await (await fetch(url)).body?.cancel();
    await closed.promise;
  });
});

describe("replayFetch", () => {
  const transcript: Transcript = {
    version: 1,
    exchanges: [
      {
        request: { method: "POST", path: "/v1/chat", body: '{"model":"acme-1"}' },
        response: { status: 200, headers: {}, body: ["one", "two"], end: "complete" },
      },
    ],
  };

  it.each([
    ["GET", "/v1/chat", "GET /v1/chat came where the transcript has POST /v1/chat."],
    ["POST", "/v1/messages", "POST /v1/messages came where the transcript has POST /v1/chat."],
  ])("refuses %s %s, and remembers it", async (method, path, problem) => {
    const replay = replayFetch(transcript);
    const failure = { code: "bad_request", retryable: false, message: `Request 1 of 1: ${problem}` };
    await expect(replay.fetch(`http://a.test${path}`, { method })).rejects.toMatchObject(failure);
    expect(replay.assertDone).toThrow(expect.objectContaining({ code: "unexpected_request" }));
  });

  it("refuses a request beyond the last", async () => {
    const replay = replayFetch(transcript);
    await replay.fetch("http://a.test/v1/chat", post);
    await expect(replay.fetch("http://a.test/v1/chat", post)).rejects.toThrow("the transcript is over");
    expect(replay.assertDone).toThrow(expect.objectContaining({ code: "unexpected_request" }));
  });

  it("compares bodies only with checkBody, and shows where they differ", async () => {
    const other = { ...post, body: '{"model":"acme-2"}' };
    expect((await replayFetch(transcript).fetch("http://a.test/v1/chat", other)).status).toBe(200);
    const strict = () => replayFetch(transcript, { checkBody: true });
    expect((await strict().fetch("http://a.test/v1/chat", post)).status).toBe(200);
    await expect(strict().fetch("http://a.test/v1/chat", other)).rejects.toThrow('"{\\"model\\":\\"acme-2\\"}" where');
    await expect(strict().fetch("http://a.test/v1/chat", { method: "POST" })).rejects.toThrow("another body");
  });

  it("complains about recorded requests that were not made", () => {
    expect(replayFetch(transcript).assertDone).toThrow(
      expect.objectContaining({ code: "unused_steps", message: "1 of 1 recorded requests were never made." }),
    );
  });

  it("follows the signal, before the request and within the answer", async () => {
    const replay = replayFetch(transcript);
    const stopped = { ...post, signal: AbortSignal.abort(new Error("enough")) };
    await expect(replay.fetch("http://a.test/v1/chat", stopped)).rejects.toThrow("enough");
    const controller = new AbortController();
    const response = await replay.fetch("http://a.test/v1/chat", { ...post, signal: controller.signal });
    const reader = readerOf(response);
    expect(await reader.read()).toBe("one");
    controller.abort(new Error("enough"));
    await expect(reader.read()).rejects.toThrow("enough");
  });

  it("refuses a transcript of another version", () => {
    expect(() => replayFetch({ ...transcript, version: 2 as 1 })).toThrow(RangeError);
  });
});

/** Records what a server of the test answers. */
async function record(answer: (response: ServerResponse, path: string | undefined) => unknown) {
  const { url } = await serve((request, response) => void answer(response, request.url));
  const { fetch, transcript } = recordFetch();
  const read = async (path: string, init: RequestInit) => bytesOf(await fetch(`${url}${path}`, init));
  return { url, fetch, transcript, read };
}

async function bytesOf(response: Response): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) pieces.push(piece);
  return pieces;
}

function throughJson(transcript: Transcript): Transcript {
  return JSON.parse(JSON.stringify(transcript));
}
