import { defineTool } from "@cogency/agent";
import type { ModelRequest } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import type { UIMessageChunk } from "ai";
import { expect, it, onTestFinished } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { chatSite, said } from "./support/chat-site.ts";
import { faultsOf } from "./support/check-chunks.ts";
import { judged } from "./support/judge.ts";
import { readStream } from "./support/read-stream.ts";

/** A site whose tool waits until it is let go on. */
function slowSite(options: Parameters<typeof chatSite>[0] = {}) {
  const gate = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    input: { type: "object" },
    async execute(_, { progress, signal }) {
      progress("half");
      await Promise.race([
        gate.promise,
        new Promise((_, fail) => signal.addEventListener("abort", fail, { once: true })),
      ]);
      return "done";
    },
  });
  const steps = ['I wait.<execute>[{"name":"wait","args":{}}]</execute>', "There.<end>"];
  const site = chatSite({ steps, tools: [wait], ...options });
  onTestFinished(() => gate.resolve());
  return { ...site, goOn: () => gate.resolve() };
}

/** Reads chunks until one fits, and leaves. */
async function readUntil(response: Response, fits: (chunk: UIMessageChunk) => boolean): Promise<UIMessageChunk[]> {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const chunks: UIMessageChunk[] = [];
  for (;;) {
    const { value = "", done } = await reader.read();
    if (done) throw new Error("The stream ended before.");
    for (const line of value.split("\n\n")) if (line.startsWith("data: {")) chunks.push(JSON.parse(line.slice(6)));
    if (!chunks.some(fits)) continue;
    await reader.cancel();
    return chunks;
  }
}

/** A store that knows how many iterations over what comes are open. */
function countedStore() {
  const store = memoryStore();
  let open = 0;
  async function* counted<T>(items: AsyncIterable<T>) {
    open++;
    try {
      yield* items;
    } finally {
      open--;
    }
  }
  const [follow, followLive] = [store.follow.bind(store), store.live.follow.bind(store.live)];
  store.follow = (...given) => counted(follow(...given));
  store.live.follow = (...given) => counted(followLive(...given));
  return { store, following: () => open };
}

const isProgress = (chunk: UIMessageChunk) => chunk.type === "tool-output-available" && chunk.preliminary === true;

it("a reader that comes back has all of the answer, and the run has not noticed that it was away", async () => {
  const site = slowSite();
  const first = await readUntil(await site.postAny(said("Hi.")), isProgress);
  const resumed = await site.ask("/c/stream");
  const shown = await site.history("c");
  expect(shown.at(-1)?.parts).toMatchObject([{}, { text: "I wait." }, { type: "tool-wait", state: "input-available" }]);
  site.goOn();
  const chunks = await readStream(resumed);
  expect(faultsOf(chunks)).toEqual([]);
  expect(chunks[0]).toEqual(first[0]);
  const message = await judged<ChatMessage>(chunks);
  expect(message?.parts.map((part) => ("text" in part ? part.text : part.type))).toEqual([
    "step-start",
    "I wait.",
    "tool-wait",
    "step-start",
    "There.",
  ]);
  expect((await site.history("c")).at(-1)).toEqual(message);
  expect((await site.ask("/c/stream")).status).toBe(204);
  expect(site.provider.requests).toHaveLength(2);
});

it("two readers have the same", async () => {
  const site = slowSite();
  await readUntil(await site.postAny(said("Hi.")), isProgress);
  const readers = [await site.ask("/c/stream"), await site.ask("/c/stream"), await site.postAny(said("Hi."))];
  site.goOn();
  const messages = await Promise.all(readers.map(async (reader) => judged(await readStream(reader))));
  expect(messages[1]).toEqual(messages[0]);
  expect(messages[2]).toEqual(messages[0]);
});

it("a run that is stopped by DELETE ends the stream with an abort, and stays so", async () => {
  const site = slowSite();
  await readUntil(await site.postAny(said("Hi.")), isProgress);
  const resumed = await site.ask("/c/stream");
  expect((await site.ask("/c/stream", { method: "DELETE" })).status).toBe(204);
  expect((await site.ask("/c/stream", { method: "DELETE" })).status).toBe(204);
  const chunks = await readStream(resumed);
  expect(faultsOf(chunks)).toEqual([]);
  expect(chunks.at(-1)).toMatchObject({ type: "abort" });
  const [, answer] = await site.history("c");
  expect(answer?.metadata?.status).toBe("cancelled");
  expect(await judged(chunks)).toEqual(answer);
  expect((await site.ask("/c/stream")).status).toBe(204);
});

it("words that wait for the turn before begin an answer of their own", async () => {
  const site = slowSite({
    steps: ['I wait.<execute>[{"name":"wait","args":{}}]</execute>', "There.<end>", "Second.<end>"],
  });
  await readUntil(await site.postAny(said("Hi.")), isProgress);
  const second = await site.postAny(said("And?", { message: "m2" }));
  site.goOn();
  const message = await judged<ChatMessage>(await readStream(second));
  expect(message?.parts.at(-1)).toMatchObject({ text: "Second." });
  expect((await site.history("c")).map(({ id }) => id)).toEqual(["m1", expect.anything(), "m2", message?.id]);
});

it("readers that leave leave nothing behind: their places are free, and nothing follows the conversation any more", async () => {
  const { store, following } = countedStore();
  const site = slowSite({ limits: { streams: 3 }, store });
  await readUntil(await site.postAny(said("Hi.")), isProgress);
  for (let round = 0; round < 30; round++) {
    const readers = await Promise.all([0, 1, 2].map(() => site.ask("/c/stream")));
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
    if (round === 0) expect((await site.ask("/c/stream")).status).toBe(429);
    if (round % 2 === 0) for (const reader of readers) await reader.body?.cancel();
    else for (const reader of readers) await readUntil(reader, ({ type }) => type === "start");
  }
  site.goOn();
  expect((await judged<ChatMessage>(await readStream(await site.ask("/c/stream"))))?.metadata?.status).toBe(
    "completed",
  );
  await expect.poll(following).toBe(0);
});

it("an answer that thinks is shown only to users who may see it", async () => {
  const steps = ["<think>SECRET thought</think>Hello.<end>"];
  const site = chatSite({ steps, authenticate: () => ({ id: "ada" }) });
  const chunks = await site.post(said("Hi."));
  expect(JSON.stringify([chunks, await site.history("c")])).not.toContain("SECRET");
});

it("what the model is told besides never leaves the server", async () => {
  const seen: ModelRequest[] = [];
  const site = chatSite({
    steps: [
      (request) => {
        seen.push(request);
        return "Hello.<end>";
      },
    ],
  });
  const text = JSON.stringify([await site.post(said("Hi.")), await site.history("c")]);
  expect(text).not.toContain(seen[0]?.system.slice(0, 40));
  expect(text).not.toMatch(/"(mac|proof|hash|provider|model)"/);
});
