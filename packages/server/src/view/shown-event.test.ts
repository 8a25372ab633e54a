import type { LogEvent } from "@cogency/protocol";
import { type Part, partsOf } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { everyKind } from "@cogency/storage/testkit";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marked, secret, shown as visible } from "../../test/support/marked-log.ts";
import { mostAttached, mostCharacters } from "./cut.ts";
import { shownEvent } from "./shown-event.ts";

const stored = (event: LogEvent, seq = 7) => ({ ...event, seq }) as StoredEvent;
const show = (event: LogEvent, seesThinking = true) => shownEvent(stored(event), seesThinking);
const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 1 }) as LogEvent;

/** What is left of each sample: all of it, nothing, or this. */
const left: Readonly<Record<keyof typeof everyKind, "all" | "nothing" | object>> = {
  user: "all",
  "user from the framework": "nothing",
  "user notice": "nothing",
  "user notice from outside": "all",
  "user recovery": "nothing",
  "user with attachments": "all",
  think: "all",
  call: "all",
  "call without an id": "all",
  result: { content: '[{"tool":"read","status":"success","content":"<execute>"}]' },
  respond: "all",
  "respond with a unit": { unit: undefined },
  cancelled: "all",
  "record started": "all",
  "record not_done": "all",
  "record finished": "all",
  "record fork": "nothing",
  "record rejected": { data: { code: "malformed_execute", message: "Expected an array." } },
  "record native": "nothing",
  "record summary": "nothing",
  "record title": "all",
  "record point": "all",
  "record message": "all",
  "record message refused": "all",
  "record notice": "all",
  "record usage": { data: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0.1 } },
  "record request": "nothing",
  "record tools_found": "nothing",
  "record source_tools": "nothing",
  "record client_tools": { data: { tools: [{ name: "pick" }] } },
  "record trace": "nothing",
  "record child": {
    data: {
      call: "call_1",
      agent: "reviewer",
      conversation: "subagent-1",
      background: true,
      used: { steps: 2, tokens: 700, toolCalls: 1 },
    },
  },
  "record parent": "all",
  "record object": "nothing",
  "record run": { data: { status: "stopped", stop: { reason: "steps_limit", message: "Ten steps are used up." } } },
  "record run that failed": "all",
  "record of nothing": "nothing",
};

describe("what a person may see", () => {
  it.each(Object.entries(everyKind))("of the event %s is decided", (name, event) => {
    const expected = left[name];
    expect(expected).toBeDefined();
    if (expected === "nothing") expect(show(event)).toBeUndefined();
    else expect(show(event)).toEqual(stored({ ...event, ...(expected === "all" ? {} : (expected as object)) }));
  });

  it("holds nothing that must stay on the server, whatever field it stands in", () => {
    for (const seesThinking of [true, false]) {
      const sent = JSON.stringify(marked.map((event) => show(event, seesThinking) ?? null));
      expect(sent).not.toContain(secret);
      for (const word of visible) expect(sent).toContain(word);
      expect(sent.includes("a thought")).toBe(seesThinking);
    }
    for (const event of marked.filter((one) => show(one) === undefined))
      expect(JSON.stringify(event)).toContain(secret);
  });

  it("makes the same screen as the log, but for words of the runtime, thinking and what was cut", () => {
    const log = Object.values(everyKind);
    const isShown = (part: Part) =>
      part.type !== "user" || part.origin === undefined || part.origin === "untrusted" || part.sources !== undefined;
    const seen = partsOf(log.flatMap((event) => show(event) ?? []));
    expect(seen.map(({ type }) => type)).toEqual(
      partsOf(log)
        .filter(isShown)
        .map(({ type }) => type),
    );
  });

  it("never throws for JSON, whatever a log from elsewhere holds, and keeps number and time", () => {
    const kinds = [...Object.values(everyKind).map((event) => ("kind" in event ? event.kind : event.type)), "question"];
    const any = fc.record({
      type: fc.constantFrom("user", "think", "respond", "call", "result", "cancelled", "record", "metric", "x"),
      kind: fc.constantFrom(...kinds, "approval", "answer", "constructor", "__proto__"),
      data: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom("id", "result", "stop", "used", "args", "concerns"), fc.jsonValue()),
      ),
      content: fc.oneof(fc.jsonValue(), fc.json()),
      origin: fc.jsonValue(),
      attachments: fc.jsonValue(),
      timestamp: fc.constant(5),
    });
    fc.assert(
      fc.property(any, (event) => {
        const seen = show(event as unknown as LogEvent);
        if (seen) expect(seen).toMatchObject({ seq: 7, timestamp: 5, type: event.type });
        expect(() => partsOf(seen ? [seen] : [])).not.toThrow();
      }),
      randomRuns(500),
    );
  });
});

describe("a result that is long", () => {
  const long = "x".repeat(mostCharacters + 1234);

  it("is cut at the same place where it ended and in its batch, and says how much is missing", () => {
    const cutText = `${"x".repeat(mostCharacters)}\n… 1234 more characters`;
    const result = { tool: "read", status: "success", content: long };
    expect(show(record("finished", { id: "c", result }))).toMatchObject({ data: { result: { content: cutText } } });
    const batch = { type: "result", content: JSON.stringify([result, { ...result, content: "short" }]) } as LogEvent;
    const shown = show({ ...batch, timestamp: 1 } as LogEvent) as LogEvent & { content: string };
    expect(JSON.parse(shown.content).map(({ content }: { content: string }) => content)).toEqual([cutText, "short"]);
  });

  it("is cut as its JSON if it is no text, and never in the middle of a character", () => {
    const of = (content: unknown) => {
      const finished = show(record("finished", { id: "c", result: { tool: "t", status: "success", content } }));
      return (finished as { data: { result: { content: unknown } } }).data.result.content;
    };
    expect(of({ lines: [long] })).toBe(
      `${JSON.stringify({ lines: [long] }).slice(0, mostCharacters)}\n… 1248 more characters`,
    );
    expect(of({ lines: ["short"] })).toEqual({ lines: ["short"] });
    const odd = `${"x".repeat(mostCharacters - 1)}😀${"x".repeat(10)}`;
    expect(of(odd)).toBe(`${"x".repeat(mostCharacters - 1)}\n… 12 more characters`);
  });

  it("leaves attachments out for which there is no room, and their names say so", () => {
    const picture = (size: number, name?: string) => ({
      kind: "image",
      mediaType: "image/png",
      data: "A".repeat(size),
      ...(name && { name }),
    });
    const small = picture(100, "small.png");
    const linked = { kind: "image", mediaType: "image/png", data: { url: "https://example.com/a.png" } };
    const attachments = [small, picture(mostAttached, "large.png"), linked, picture(mostAttached)];
    const result = { tool: "t", status: "success", content: "two", attachments };
    expect(show(record("finished", { id: "c", result }))).toMatchObject({
      data: {
        result: {
          attachments: [
            small,
            { kind: "file", mediaType: "text/plain", data: "", name: "large.png (750 kB, left out)" },
            linked,
            { kind: "file", mediaType: "text/plain", data: "", name: "image/png (750 kB, left out)" },
          ],
        },
      },
    });
  });
});
