import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { host } from "../../test/support/asking-host.ts";
import type { ApprovalRecord } from "../host.ts";
import type { Approval } from "../index.ts";

const wipe = (id: string, args = {}) => ({ name: "wipe", args, id });

describe("after a restart", () => {
  const call = wipe("c1", { disk: "a" });

  /** What a host logs that is asked about the call. */
  async function logged(answer: Approval["approve"] = async () => true): Promise<ApprovalRecord[]> {
    const { log, context, executor } = host(answer);
    await executor.run([call], context());
    return log;
  }

  it("a record with a change in any field that its proof covers is ignored", async () => {
    const [question, answer] = (await logged()) as [ApprovalRecord, ApprovalRecord];
    const fields = ["id", "name", "hash", "status", "question", "reason", "shown", "proof.key", "proof.mac"] as const;
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom(null, 0, true, "", "approved", "denied", question.question ?? "", answer.hash, "c1", "wipe"),
      fc.constantFrom([], {}, [answer.id], answer.hash.toUpperCase()),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), value, async (field, value) => {
        const changed = changedAt(answer, field, value);
        fc.pre(JSON.stringify(changed) !== JSON.stringify(answer) && !(field === "reason" && value === null));
        const { asked, ran, context, executor } = host(async () => false);
        await executor.run([call], context({ approvals: [question, changed] }));
        expect([asked.length, ran]).toEqual([1, []]);
      }),
      { numRuns: 300 },
    );
  });
});

/** A copy with another value at one place. */
function changedAt(record: ApprovalRecord, field: string, value: unknown): ApprovalRecord {
  const [outer = "", inner] = field.split(".");
  const part = inner === undefined ? value : { ...record.proof, [inner]: value };
  return { ...record, [outer]: part } as ApprovalRecord;
}
