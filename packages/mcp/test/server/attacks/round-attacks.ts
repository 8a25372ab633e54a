import { expect } from "vitest";
import { type Attack, approved, elicits, type Target, write } from "./attack.ts";

const refusal = { code: -32602, message: "Invalid or expired requestState" };

async function asked({ ada }: Pick<Target, "ada">) {
  const { result } = await ada.modern("tools/call", write, elicits);
  const [key = ""] = Object.keys(result.inputRequests);
  return { inputResponses: { [key]: approved }, requestState: String(result.requestState) };
}

export const roundAttacks: readonly Attack[] = [
  {
    name: "forges the state of an approval",
    async play(target) {
      const { inputResponses, requestState } = await asked({ ada: target.eve });
      const [version, body = "", mac] = requestState.split(".");
      const forged = btoa(atob(body.replaceAll("-", "+").replaceAll("_", "/")).replace('"given":{', '"given":{ '));
      const answer = await target.eve.modern(
        "tools/call",
        { ...write, inputResponses, requestState: [version, forged, mac].join(".") },
        elicits,
      );
      expect(answer.error).toMatchObject(refusal);
    },
  },
  {
    name: "brings the state of another user",
    async play(target) {
      const answers = await asked(target);
      expect((await target.eve.modern("tools/call", { ...write, ...answers }, elicits)).error).toMatchObject(refusal);
    },
  },
  {
    name: "brings a state for another call",
    async play(target) {
      const answers = await asked({ ada: target.eve });
      const other = { name: "write", arguments: { path: "/etc/passwd" }, ...answers };
      expect((await target.eve.modern("tools/call", other, elicits)).error).toMatchObject(refusal);
    },
  },
  {
    name: "brings a state twice",
    async play(target) {
      const answers = await asked({ ada: target.eve });
      const again = () => target.eve.modern("tools/call", { ...write, ...answers }, elicits);
      const both = await Promise.all([again(), again()]);
      expect(both.filter(({ error }) => error?.message === refusal.message)).toHaveLength(1);
    },
    runs: ["write a.md"],
  },
  {
    name: "approves what nobody has asked",
    async play({ eve }) {
      const { result } = await eve.modern(
        "tools/call",
        { ...write, inputResponses: { "approval-1": approved } },
        elicits,
      );
      expect(result.resultType).toBe("input_required");
    },
  },
  {
    name: "claims an approval in its own metadata",
    async play({ eve }) {
      const { result } = await eve.modern("tools/call", { ...write, approved: true, _meta: { approved: true } }, {});
      expect(result).toMatchObject({ isError: true });
    },
  },
];
