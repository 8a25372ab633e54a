import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { type Key, memoryStore, redactSecrets, type Store } from "@cogency/storage";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../../base/errors/usage-error.ts";
import { exportedLines } from "../../work/export/exported-lines.ts";
import { importConversation } from "./import-conversation.ts";
import { readExport } from "./read-export.ts";

const folder = mkdtempSync(join(tmpdir(), "cogency-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const file = join(folder, "export.jsonl");

async function exported(store: Store, keys: Key[], redact?: typeof redactSecrets): Promise<string> {
  let text = "";
  for await (const line of exportedLines(keys, store, redact, signal)) text += line;
  return text;
}

async function imported(text: string | Buffer): Promise<Store> {
  writeFileSync(file, text);
  const store = memoryStore();
  let current: ReturnType<typeof importConversation> | undefined;
  for await (const item of readExport(file, "export.jsonl")) {
    if ("header" in item) {
      await current?.finish();
      const { conversation, user } = item.header;
      current = importConversation({ conversation, user }, store);
    } else await current?.add(item.event);
  }
  await current?.finish();
  return store;
}

/** Strings that have broken line-based formats elsewhere. */
const strings = [
  "",
  "a\nb\r\nc\u2028d\u2029e\u0085f",
  "\u0000\u001b[2J\u007f\u009b2J",
  "\ud800 and \udc00",
  "👩‍👩‍👧 é \u202eabc\u2066",
  '"}\n{"type":"conversation"}',
  "\\\\n \\",
  "\ufeff",
  "__proto__",
  "x".repeat(200_000),
];
const times = [0, 1764000000.123456, -1, 5e-324, 1.7976931348623157e308];

/** Returns repeatable random numbers from 0 to below `below`. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function drawnEvent(draw: (below: number) => number): LogEvent {
  const content = strings[draw(strings.length)] ?? "";
  const timestamp = times[draw(times.length)] ?? 0;
  const kinds: LogEvent[] = [
    { type: "user", timestamp, content },
    { type: "think", timestamp, content },
    { timestamp, content, type: "respond" },
    { type: "call", timestamp, content, id: content },
    { type: "cancelled", timestamp },
    {
      type: "record",
      timestamp,
      kind: "native",
      data: {
        provider: content,
        model: "m",
        data: [{ [content]: content }, 1e21, null, { seq: 7, type: "conversation" }],
      },
    },
  ];
  return kinds[draw(kinds.length)] ?? { type: "cancelled", timestamp };
}

describe("an export that is read back", () => {
  it.each(Array.from({ length: 60 }, (_, seed) => [seed]))(
    "gives every event as it was, in order: %i",
    async (seed) => {
      const draw = draws(seed);
      const store = memoryStore();
      const keys = Array.from({ length: 1 + draw(4) }, (_, index): Key => {
        const user = draw(2) === 0 ? undefined : strings[draw(strings.length)];
        return { conversation: `${index} ${strings[draw(strings.length)]}`, user };
      });
      for (const key of keys)
        await store.append(
          key,
          Array.from({ length: 1 + draw(8) }, () => drawnEvent(draw)),
        );
      const lines = await exported(store, keys);
      expect(lines).not.toMatch(/[^\P{Cc}\n]/u);
      const copy = await imported(lines);
      for (const key of keys) expect(await copy.load(key)).toStrictEqual(await store.load(key));
      expect(await exported(copy, keys)).toBe(lines);
    },
  );

  it("is equal also for a conversation of several pages and appends", async () => {
    const store = memoryStore();
    const key = { conversation: "long" };
    const events = Array.from({ length: 25_000 }, (_, index): LogEvent => {
      return { type: "respond", timestamp: index, content: `answer ${index}` };
    });
    await store.append(key, events);
    const copy = await imported(await exported(store, [key]));
    expect(await copy.load(key)).toStrictEqual(await store.load(key));
    // The lease was released.
    await copy.append(key, [{ type: "user", timestamp: 1, content: "and now" }]);
  });

  it("holds no secrets unless --raw is given", async () => {
    const store = memoryStore();
    const key = { conversation: "c" };
    await store.append(key, [{ type: "user", timestamp: 1, content: "DB_PASSWORD=hunter2" }]);
    expect(await exported(store, [key], redactSecrets)).toContain("DB_PASSWORD=[redacted]");
    expect(await exported(store, [key])).toContain("DB_PASSWORD=hunter2");
  });
});

const header = '{"type":"conversation","version":1,"conversation":"c","events":1}';
const said = '{"type":"user","content":"x","timestamp":1,"seq":1}';

describe("readExport", () => {
  it("accepts blank lines, carriage returns and a missing last line feed", async () => {
    const store = await imported(`\ufeff${header}\r\n\r\n${said}`);
    expect(await store.load({ conversation: "c" })).toHaveLength(1);
  });

  it.each([
    ["nothing", "", 1, /empty/],
    ["no JSON", `${header}\n{"type":`, 2, /no JSON/],
    ["no object", "[]", 1, /no JSON object/],
    ["no UTF-8", Buffer.from([0x7b, 0x0a, 0xff, 0x0a]), 1, /UTF-8|JSON/],
    ["no header", said, 1, /not the header/],
    ["a newer format", header.replace(":1,", ":2,"), 1, /version 2; this is known: 1/],
    ["a name that is none", header.replace('"c"', "7"), 1, /`conversation`/],
    ["a user that is none", header.replace('"events"', '"user":null,"events"'), 1, /`user`/],
    ["a count that is none", header.replace('"events":1', '"events":0.5'), 1, /`events`/],
    ["a file that was cut off", header, 1, /only 0 follow/],
    ["a conversation that was cut off", `${header}\n${header}\n${said}`, 1, /only 0 follow/],
    ["too many events", `${header}\n${said}\n${said.replace('seq":1', 'seq":2')}`, 3, /1 events only/],
    ["a gap", `${header}\n${said.replace('seq":1', 'seq":2')}`, 2, /seq is not 1/],
    ["an event that is not stored", `${header}\n${said.replace("user", "metric")}`, 2, /type metric/],
    ["an event without a time", `${header}\n${said.replace('"timestamp":1', '"timestamp":"1"')}`, 2, /timestamp/],
    ["an event without content", `${header}\n${said.replace('"content":"x"', '"content":7')}`, 2, /content/],
  ])("refuses %s, and says where", async (_, text, line, problem) => {
    const failure = await imported(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toContain(`export.jsonl line ${line}: `);
    expect(String(failure)).toMatch(problem);
  });
});
