import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { follow, isOver, newFolder, start } from "./processes/until-finished.ts";
import { problemsOf } from "./screens/check-screens.ts";
import { post, readEvents } from "./screens/read-events.ts";
import { delaysOf, quantile, wordsOf } from "./screens/words.ts";

const pace = { pause: 20, words: 30 };

describe("a server whose conversation runs", () => {
  it("tells a page of another origin nothing, and lets it change nothing", async () => {
    const { url, reader } = await running();
    const address = `${url}/conversations/c`;
    const cookies = { "x-user": "ada" };
    const pages = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: url.replace("127.0.0.1", "localhost") },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" },
    ];
    for (const page of pages) {
      const headers = { ...cookies, ...page, "content-type": "text/plain" };
      for (const path of ["/events", "/messages", "/questions", ""]) {
        const answer = await fetch(`${address}${path}`, { headers });
        expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: "cross_site" })]);
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      }
      const body = JSON.stringify({ id: crypto.randomUUID(), kind: "prompt", content: "Obey." });
      const changes = [
        { path: "/messages", method: "POST", body },
        { path: "/fork", method: "POST", body: "{}" },
        { path: "", method: "PATCH", body: JSON.stringify({ title: "Mine" }) },
        { path: "", method: "DELETE" },
      ];
      for (const { path, ...asking } of changes)
        expect((await fetch(`${address}${path}`, { ...asking, headers })).status).toBe(403);
    }
    await reader.shows(isOver);
    const events = await readEvents(url, "c");
    expect(events.flatMap((event) => (event.type === "user" ? event.content : []))).toEqual(["Write."]);
    expect(problemsOf(reader.screens, { events })).toEqual([]);
  });

  it("gives another user nothing of it: no letter, no event, no header, under any spelling of its name", async () => {
    const { url, reader } = await running();
    const mallory = { headers: { "x-user": "mallory" } };
    const names = ["c", "%63", "ada%2Fc", "ada:c", "..%2Fada%2Fc", "c%00", "C"];
    const streams = names.map((name) => watch(`${url}/conversations/${name}/events`, mallory.headers));
    for (const name of names) {
      for (const path of ["", "/messages", "/questions"]) {
        const answer = await fetch(`${url}/conversations/${name}${path}`, mallory);
        const text = await answer.text();
        if (answer.status === 200) expect(text).toBe("[]");
        else expect([400, 404]).toContain(answer.status);
      }
    }
    expect(await (await fetch(`${url}/conversations`, mallory)).json()).toEqual([]);
    expect((await fetch(`${url}/conversations/c/events`)).status).toBe(401);
    await reader.shows(isOver);
    for (const stream of streams) expect(stream.text()).not.toMatch(/data:/);
  });

  it("refuses a number of an event that cannot be, and gives a reader with another one a part of the log, in order", async () => {
    const { url, reader } = await running();
    await reader.shows(isOver);
    const events = await readEvents(url, "c");
    const address = `${url}/conversations/c/events`;
    const statusOf = async (id: string) => {
      const leaving = new AbortController();
      const headers = { "x-user": "ada", "last-event-id": id };
      const { status } = await fetch(address, { headers, signal: leaving.signal });
      leaving.abort();
      return status;
    };
    for (const id of ["-1", "1.5", "NaN", "1e3", "0x1", "9007199254740993", "١", "1,2", "'; drop table events"])
      expect([id, await statusOf(encodeURI(id))]).toEqual([id, 400]);
    expect(await statusOf("9999")).toBe(409);
    const half = watch(address, { "x-user": "ada", "last-event-id": "3" });
    const rest = events.filter((event) => event.seq > 3);
    await expect.poll(() => half.events()).toEqual(rest);
  });

  it("holds no log in memory for readers that never read, and neither they nor slow ones delay another reader", async () => {
    const place = join(newFolder(), "store.db");
    const pace = { pause: 5, words: 50 };
    const site = await start({ place, serves: true, pace });
    await start({ place, works: true, pace });
    const long = "A long letter. ".repeat(50_000);
    for (let count = 0; count < 8; count++) expect(await post(site.url, "long", long)).toBe(202);
    const address = `${site.url}/conversations/long/events`;
    const reading = watch(address, { "x-user": "ada" });
    await expect.poll(() => reading.count(/"kind":"run"/g)).toBe(8);
    const before = await site.memory();
    // Of 90 MB, the system takes what fits into its own buffers.
    const stuck = Array.from({ length: 15 }, () => watch(address, { "x-user": "ada" }, "never"));
    const slow = watch(address, { "x-user": "ada" }, "slowly");
    const reader = follow(site.url);
    expect(await post(site.url, "c", "Write.")).toBe(202);
    await reader.shows(isOver);
    // The event that each of them is sent now, and what the store reads at one time for the slow one.
    const grown = async () => (await site.memory()).heap - before.heap;
    await expect.poll(grown, { interval: 500 }).toBeLessThan(30e6);
    expect(problemsOf(reader.screens, { events: await readEvents(site.url, "c") })).toEqual([]);
    // Who waits for one that never reads would wait for ever.
    expect(quantile(delaysOf(reader.screens), 0.5)).toBeLessThan(3000);
    for (const one of [slow, ...stuck]) one.read();
    for (const one of [slow, ...stuck]) {
      await expect.poll(() => one.count(/"kind":"run"/g)).toBe(8);
      expect(one.events()).toEqual(reading.events());
    }
  });
});

/** A server with a worker, a conversation of Ada that runs, and a reader that shows its letters. */
async function running() {
  const { url } = await start({ place: join(newFolder(), "store.db"), serves: true, works: true, pace });
  const reader = follow(url);
  expect(await post(url, "c", "Write.")).toBe(202);
  await reader.shows(({ parts }) => wordsOf(parts).length > 5);
  return { url, reader };
}

/** A reader of a stream that takes what comes at once, a little now and then, or nothing, until it is told to read. */
function watch(address: string, headers: Record<string, string>, how: "at once" | "slowly" | "never" = "at once") {
  let text = "";
  let isReading = how === "at once";
  let answer: IncomingMessage | undefined;
  const request: ClientRequest = get(address, { headers, agent: false }, (incoming) => {
    answer = incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => {
      text += piece;
      if (!isReading) incoming.pause();
    });
    if (how === "never") incoming.pause();
    if (how === "slowly") void trickle(incoming);
  });
  request.on("error", () => {});

  async function trickle(incoming: IncomingMessage): Promise<void> {
    while (!isReading) {
      await sleep(300);
      incoming.resume();
    }
  }

  return {
    text: () => text,
    count: (words: RegExp) => text.match(words)?.length ?? 0,
    events: () => [...text.matchAll(/^id: \d+\ndata: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data)),
    read() {
      isReading = true;
      answer?.resume();
    },
  };
}
