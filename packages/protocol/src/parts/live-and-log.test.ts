import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { played } from "../../test/generate-run.ts";
import type { Part, Parts } from "./part.ts";
import { partsOf, reduceParts } from "./reduce-parts.ts";

const runs = randomRuns(1500);

/** What docs/parts.md says of parts that exist only live, and of fields that differ. */
function withoutLive(parts: Parts): Part[] {
  return parts.flatMap((part): Part[] => {
    switch (part.type) {
      case "error":
        return part.code === "provider_retry" || part.code === "empty_turn" ? [] : [part];
      case "end":
        return part.status === "waiting" || part.status === "failed" || part.stop?.reason === "time_limit"
          ? []
          : [part];
      case "call": {
        const { duration, outcome, ...call } = part;
        if (outcome === undefined) return [call];
        const isOfLog = part.result === undefined || outcome === "success" || part.result.status === "success";
        return [{ ...call, outcome: isOfLog ? outcome : "failure" }];
      }
      default:
        return [part];
    }
  });
}

const reduce = (events: readonly Parameters<typeof reduceParts>[1][]) =>
  events.reduce<Parts>((parts, event) => reduceParts(parts, event), []);

describe("parts of a run", () => {
  it("are the same from the events as they came and from the log", () => {
    let calls = 0;
    fc.assert(
      fc.property(played, ({ live, log }) => {
        const parts = withoutLive(reduce(live));
        calls += parts.filter(({ type }) => type === "call").length;
        expect(parts).toStrictEqual(withoutLive(partsOf(log)));
      }),
      runs,
    );
    expect(calls).toBeGreaterThan(runs.numRuns / 2);
  });
});
