import { scripted } from "@cogency/provider";
import type { Store, StoredEvent } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, clocked } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";

const conversation = "c";

describe("runs of several agents over one conversation", () => {
  it("leave a log of one run after another, interleaved at random with leases that expire", async () => {
    const runs = fc.array(fc.record({ isWorking: fc.boolean(), isRecovering: fc.boolean() }), {
      minLength: 2,
      maxLength: 5,
    });
    /** How far the clock of the store goes on at each of its operations; some leases run out at it. */
    const jumps = fc.infiniteStream(
      fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(60_000) }),
    );
    const endings = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runs, jumps, async (scheduler, runs, jumps) => {
        const { store: inner, time } = clocked();
        const passes = async () => {
          await scheduler.schedule(Promise.resolve());
          time.now += jumps.next().value ?? 1;
        };
        const owners = new Map<number, string>();
        /** The run that wrote each event of the log. */
        const writers: string[] = [];
        const store: Store = {
          ...inner,
          load: (...asked) => passes().then(() => inner.load(...asked)),
          async lease(...asked) {
            await passes();
            const lease = await inner.lease(...asked);
            owners.set(lease.token, lease.owner);
            return lease;
          },
          async append(key, events, options) {
            await passes();
            const last = await inner.append(key, events, options);
            for (const _ of events) writers.push(owners.get(options?.lease?.token ?? 0) ?? "nobody");
            return last;
          },
        };
        const worked: string[] = [];
        const work = defineTool({
          name: "work",
          description: "Work.",
          input: z.object({ run: z.string() }),
          execute({ run }) {
            worked.push(run);
            return run;
          },
        });
        const working = runs.map(async ({ isWorking, isRecovering }, index) => {
          const run = `run ${index}`;
          const steps = [...(isWorking ? [block(["work", { run }])] : []), `${run}<end>`, "more<end>"];
          const agent = createAgent({ provider: scripted(steps), tools: [work], store });
          const { error, status } = await agent.run(run, { conversation }).result;
          const ending = error?.code ?? status;
          endings.set(ending, (endings.get(ending) ?? 0) + 1);
          expect(["completed", "busy", "store"]).toContain(ending);
          if (isRecovering) await agent.recover({ conversation }).result;
        });
        await scheduler.waitFor(Promise.all(working));
        expect(new Set(worked).size).toBe(worked.length);
        const log = await inner.load({ conversation });
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
        for (const part of partsOf(log, writers)) {
          expect(
            wholeRuns.filter((whole) => whole.startsWith(part)),
            part,
          ).not.toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(Array.from(endings.keys()).toSorted()).toEqual(["busy", "completed", "store"]);
  });

  const letters = { user: "u", call: "c", result: "r", respond: "a", think: "t", cancelled: "x" } as const;
  const kinds: Record<string, string> = { origin: "o", started: "s", finished: "f", usage: "m", run: "e" };

  /** What each run wrote, a letter an event; as many parts as there are runs if each wrote all of it in one go. */
  function partsOf(log: readonly StoredEvent[], writers: readonly string[]): string[] {
    const parts = new Map<string, string>();
    for (const [index, event] of log.entries()) {
      const writer = writers[index] ?? "nobody";
      if (parts.has(writer)) expect(writer).toBe(writers[index - 1]);
      const letter = event.type === "record" ? (kinds[event.kind] ?? "?") : letters[event.type];
      parts.set(writer, (parts.get(writer) ?? "") + letter);
    }
    return [...parts.values()];
  }

  /** What runs write that nothing breaks off: answer or finish old calls, begin the log, take the prompt, work, answer. */
  const wholeRuns = ["", "r", "sfr"].flatMap((before) =>
    ["", "u", "ou"].flatMap((asked) => ["", "csfrm"].map((work) => `${before}${asked}${work}ame`)),
  );
});
