import type { AgentEvent, LogEvent, RespondEvent, ThinkEvent } from "@cogency/protocol";
import { createSettler } from "@cogency/protocol/host";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { block, conversation, echo } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";

const call = block(["echo", { text: "x" }]);

/** Runs an answer in pieces, then a plain one, and returns the log without times and signatures. */
async function logOf(pieces: readonly string[], stream: "token" | "event" | null): Promise<unknown[]> {
  const store = memoryStore();
  const provider = scripted([{ chunks: [...pieces] }, "Done.<end>", "Done.<end>", "Done.<end>"]);
  const agent = createAgent({ provider, tools: [echo], store, budget: { steps: 3 } });
  await agent.run("go", { conversation, stream }).result;
  const log = await store.load({ conversation });
  return log.flatMap((event) => {
    if (event.type === "record" && (event.kind === "origin" || event.kind === "usage")) return [];
    const { timestamp: _, seq: __, ...rest } = event as LogEvent & { seq: number };
    // A refused block is kept as it was read until then, which depends on the pieces.
    if (rest.type === "record" && rest.kind === "rejected") rest.data = { ...rest.data, text: "" };
    // Ids are random.
    return [JSON.parse(JSON.stringify(rest).replaceAll(/call_[\w-]+/g, "call"))];
  });
}

describe("what a generation stores", () => {
  it("is the same in every view, and however the model cuts its text", async () => {
    const parts = fc.array(
      fc.constantFrom("One ", "two.", "\n\n", " ", "<think>", "</think>", "a < b", "<end>", call, "<execute>[{"),
      { minLength: 1, maxLength: 8 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parts, sizes, async (parts, sizes) => {
        const text = parts.join("");
        const pieces: string[] = [];
        for (let from = 0, nth = 0; from < text.length; nth++) {
          const size = sizes[nth % sizes.length] ?? 1;
          pieces.push(text.slice(from, from + size));
          from += size;
        }
        const expected = await logOf([text], null);
        expect(await logOf(pieces, "token")).toEqual(expected);
        expect(await logOf(pieces, "event")).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a piece that only extends the open unit", () => {
  it("settles as a piece that is written", () => {
    const piece = fc.record({
      type: fc.constantFrom("think", "respond"),
      content: fc.constantFrom("a", " ", "b ", "\n", ""),
      unit: fc.option(fc.nat(2), { nil: undefined }),
    });
    const other = fc.constantFrom<AgentEvent>({ type: "end", timestamp: 1 }, { type: "interrupt", timestamp: 1 });
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: piece }, other), { maxLength: 20 }), (events) => {
        const [written, extended] = [createSettler(), createSettler()];
        const settled: [AgentEvent[], AgentEvent[]] = [[], []];
        for (const given of events) {
          const event = { timestamp: 1, ...given } as ThinkEvent | RespondEvent;
          settled[0].push(...written.write(event));
          const isPiece = event.type === "think" || event.type === "respond";
          if (!isPiece || !extended.extend(event)) settled[1].push(...extended.write(event));
          // Nothing may settle later than it would have.
          expect(settled[1]).toEqual(settled[0]);
        }
        expect(extended.end()).toEqual(written.end());
      }),
    );
  });
});
