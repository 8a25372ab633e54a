import { scripted } from "@cogency/provider";
import { logOf, recordedConversations } from "@tooling/conversations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, options, trip } from "../../test/support/trip.ts";
import { compare } from "./compare.ts";
import { stepsOf } from "./steps-of.ts";

describe("compare, with logs of others", () => {
  it("says that a record does not agree with its log where one of both was edited", async () => {
    const log = await trip();
    const edited = structuredClone(log);
    const words = edited.find(({ type }) => type === "user");
    if (words?.type === "user") words.content = "Kiel, please?";
    // The last turn's record hashes only what is new in it, so the first step is the one that shows it.
    const from = stepsOf(log).steps[0]?.start;
    const first = await compare(edited, { ...options(["Dry.<end>", "Dry.<end>"]), from: (from ?? 0) + 1 });
    expect(first.variants[0]?.prefix).toMatchObject({ same: true, record: "differs" });
    const forged = structuredClone(log);
    for (const event of forged)
      if (event.type === "record" && event.kind === "request") (event.data.messages as { hash: unknown }).hash = 7;
    expect((await compare(forged, options(["Dry.<end>"]))).variants[0]?.prefix).toMatchObject({
      same: true,
      record: "differs",
    });
  });

  it("sends words that were sent into a turn at the same step", async () => {
    const found = recordedConversations.find(({ name }) => name === "steered");
    const log = found ? logOf(found) : [];
    const steer = log.findLast(({ type }) => type === "user");
    const provider = scripted([call("Kiel"), "Dry.<end>", "Dry.<end>"]);
    const { variants } = await compare(log, { ...options([]), variants: [{ name: "dry", provider }] });
    expect(variants[0]?.status).toBe("completed");
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ content: steer?.type === "user" && steer.content });
  });

  it("begins every recorded conversation with the same bytes, at each step of it", async () => {
    for (const conversation of recordedConversations) {
      const log = logOf(conversation);
      for (const { first, start } of stepsOf(log).steps) {
        const before = log.slice(0, start).findLast(({ type }) => type !== "record")?.type;
        if (before === "respond" || before === "think") continue;
        const capabilities = { attachments: ["image", "file"] as const };
        const dry = scripted(
          Array.from({ length: 40 }, () => "Dry.<end>"),
          { capabilities },
        );
        const { variants } = await compare(log, {
          ...options([]),
          from: log[first]?.seq,
          variants: [{ name: "dry", provider: dry }],
        });
        const [run] = variants;
        expect([conversation.name, first, run?.prefix?.same, run?.prefix?.record === "differs"]).toEqual([
          conversation.name,
          first,
          true,
          false,
        ]);
      }
    }
  });

  it("refuses a log that no store would keep", async () => {
    const log = [...(await trip()), { type: "bogus", timestamp: 1, seq: 99 } as never];
    await expect(compare(log, options([]))).rejects.toMatchObject({ code: "bad_log" });
  });

  it("refuses a torn log or plays it, whatever is left out of it, and never does anything else", async () => {
    const log = await trip();
    const some = fc
      .subarray(log.map((_, index) => index))
      .map((kept) => log.filter((_, index) => kept.includes(index)));
    await fc.assert(
      fc.asyncProperty(some, async (torn) => {
        const variants = [{ name: "dry", provider: scripted(Array.from({ length: 9 }, () => "Dry.<end>")) }];
        const done = await compare(torn, { ...options([]), variants }).catch((error) => error.code);
        if (typeof done === "string") expect(["nothing_to_compare", "not_between_rounds"]).toContain(done);
        else expect(done.variants[0]).toMatchObject({ status: "completed", prefix: { same: true } });
      }),
      { numRuns: 60 },
    );
  });
});
