import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import type { Mode } from "../../place/rules/mode.ts";
import { changingMode } from "./changing-mode.ts";
import { openPlan } from "./open-plan.ts";

const options = { root: ".", access: "project", sandbox: "off", mode: "plan" } as const;
const block = '<execute>[{"name":"present_plan","args":{"plan":"I write."}}]</execute>';

/** What the model reads after the person has answered, and what the person read. */
async function presented(answer: string, modes?: Parameters<typeof openPlan>[1], whenAsked = () => {}) {
  const provider = scripted([block, "Done.<end>"]);
  const agent = openPlan(options, modes).capabilities.reduce(
    (before, one) => before.use(one),
    createAgent({ provider }),
  );
  let asked = "";
  await agent.ask("go", {
    conversation: "c",
    answer: ({ message }) => {
      asked = message;
      whenAsked();
      return answer;
    },
  });
  return { asked, read: JSON.stringify(provider.requests.at(-1)?.messages) };
}

describe("a plan that is accepted", () => {
  it("leaves the mode of a process that cannot change it, and the model reads that", async () => {
    const { read } = await presented("edits");
    expect(read).toContain(
      "This process cannot change its mode, which stays plan. Begin another one with --mode edits.",
    );
  });

  it.each(["read-only", "deny"] satisfies Mode[])("does not widen the mode %s", async (mode) => {
    const set: Mode[] = [];
    let now: Mode = "plan";
    const modes = { mode: () => now, setMode: async (chosen: Mode) => void set.push(chosen) };
    const { read } = await presented("edits", modes, () => {
      now = mode;
    });
    expect(read).toContain(`The mode here is ${mode}, and stays so.`);
    expect(set).toEqual([]);
  });

  it("changes the mode to what was chosen, and offers no sandbox where there is none", async () => {
    const modes = changingMode(options);
    const { asked, read } = await presented("edits", modes);
    expect(asked).not.toContain("sandboxed: accept it");
    expect(read).toContain('\\"choice\\":\\"edits\\"');
    expect([modes.mode(), modes.choice().mode]).toEqual(["edits", "edits"]);
  });

  it("still denies what would ask, where the process was begun so", async () => {
    const modes = changingMode({ ...options, deny: true });
    await presented("edits", modes);
    expect([modes.mode(), modes.choice().deny]).toEqual(["edits", true]);
  });

  it("does not take a mode that was not offered for a choice", async () => {
    const modes = changingMode(options);
    for (const answer of ["sandboxed", "yes, all", "read-only"]) {
      const { read } = await presented(answer, modes);
      expect(read).toContain('\\"accepted\\":false');
    }
    expect(modes.mode()).toBe("plan");
  });
});
