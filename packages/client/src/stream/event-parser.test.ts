import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventParser, type ServerEvent } from "./event-parser.ts";

const read = (...chunks: string[]): ServerEvent[] => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.write(chunk));
};

const line = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "🚀", "data", "{}", "\0") });
const event = fc.record({
  name: fc.option(fc.constantFrom("pieces", "message", "other"), { nil: undefined }),
  data: fc.array(line, { minLength: 1, maxLength: 3 }),
  comment: fc.option(line, { nil: undefined }),
  id: fc.option(fc.nat().map(String), { nil: undefined }),
  hasSpace: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n", "\r"),
});

describe("EventParser", () => {
  it("reads the same events, however the bytes are cut and the lines are ended", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 8 }),
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (events, hasMark, sizes) => {
          const text = events
            .map(({ name, data, comment, id, hasSpace, end }) => {
              const space = hasSpace ? " " : "";
              const lines = [
                ...(comment === undefined ? [] : [`:${comment}`]),
                ...(name === undefined ? [] : [`event:${space}${name}`]),
                ...(id === undefined ? [] : [`id:${space}${id}`]),
                // Without a space of the sender, one of the text would be lost.
                ...data.map((one) => `data: ${one}`),
                "",
              ];
              return lines.map((one) => one + end).join("");
            })
            .join("");
          const bytes = new TextEncoder().encode(`${hasMark ? "\ufeff" : ""}${text}`);
          const decoder = new TextDecoder();
          const parser = new EventParser();
          const found: ServerEvent[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value;
            found.push(...parser.write(decoder.decode(bytes.subarray(at, at + size), { stream: true })));
            at += size;
          }
          expect(found).toEqual(events.map(({ name = "message", data }) => ({ event: name, data: data.join("\n") })));
        },
      ),
      randomRuns(3000),
    );
  });

  it.each<[string, string[], ServerEvent[]]>([
    ["nothing for comments and empty lines", [": \n\n\n\n"], []],
    ["nothing for an event without data", ["event: pieces\n\n"], []],
    ["nothing for an event that is not complete", ["data: 1\n"], []],
    ["an empty text for data without a value", ["data\n\n"], [{ event: "message", data: "" }]],
    [
      "one end of a line where its two characters come apart",
      ["data: 1\r", "\n\r", "\n"],
      [{ event: "message", data: "1" }],
    ],
    [
      "a name for its own event alone",
      ["event: a\ndata: 1\n\ndata: 2\n\n"],
      [
        { event: "a", data: "1" },
        { event: "message", data: "2" },
      ],
    ],
  ])("gives %s", (_, chunks, events) => {
    expect(read(...chunks)).toEqual(events);
  });

  it("keeps the time after which the server wants to be asked again", () => {
    const parser = new EventParser();
    parser.write("retry: 250\n\nretry: soon\n\n");
    expect(parser.retry).toBe(250);
  });

  it.each([
    ["in one line", ""],
    ["in many lines", "\n"],
  ])("refuses an event that is too long %s, before it holds all of it", (_, end) => {
    const parser = new EventParser();
    const piece = `data: ${"x".repeat(2 ** 20)}${end}`;
    let taken = 0;
    const write = () => {
      for (; taken < 100; taken++) parser.write(piece);
    };
    expect(write).toThrow(expect.objectContaining({ code: "bad_response" }));
    expect(taken).toBeLessThan(40);
  });

  it("takes comments for ever", () => {
    const parser = new EventParser();
    const comment = `: ${"x".repeat(2 ** 20)}\n\n`;
    for (let i = 0; i < 40; i++) expect(parser.write(comment)).toEqual([]);
  });
});
