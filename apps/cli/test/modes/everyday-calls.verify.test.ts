import type { Approval, Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import type { Rules } from "../../src/place/rules/rules.ts";
import { isolation } from "../support/isolation.ts";
import { callOf, type Everyday, everyday, type Fate, type Row, ruled, textOf } from "./everyday-commands.ts";
import { opened } from "./opened.ts";

const { isolated } = await isolation();
const modes = ["ask", "edits", "sandboxed", "read-only"] as const;
type Shown = (typeof modes)[number];

describe.runIf(isolated)("everyday calls", () => {
  it.each(modes)("run, ask or are refused in the mode %s as the table says, without a rule", async (mode) => {
    expect(await fates(everyday, mode)).toEqual(column(everyday, mode));
  });

  it.each(modes)("run, ask or are refused in the mode %s as the table says, with rules of a person", async (mode) => {
    const rules = { allow: ["shell:npm test"], ask: ["shell:git commit **"], deny: ["shell:git push **"] };
    expect(await fates(ruled, mode, rules)).toEqual(column(ruled, mode));
  });

  it("are sixty commands and more", () => {
    expect(everyday.filter(([call]) => textOf(call).startsWith("shell ")).length).toBeGreaterThanOrEqual(60);
  });
});

/** What the table says about one mode, by call. */
function column(rows: readonly Row[], mode: Shown): Record<string, Fate> {
  const at = modes.indexOf(mode) + 1;
  return Object.fromEntries(rows.map((row) => [textOf(row[0]), row[at] as Fate]));
}

/** What the policy and the tools of the app say about each call in a mode. */
async function fates(rows: readonly Row[], mode: Shown, rules?: Rules): Promise<Record<string, Fate>> {
  const { tools, approval } = await opened(mode, rules);
  const found: [string, Fate][] = [];
  for (const [call] of rows) found.push([textOf(call), await fateOf(call, tools, approval)]);
  return Object.fromEntries(found);
}

async function fateOf(everyday: Everyday, tools: readonly Tool[], approval: Approval): Promise<Fate> {
  const call = callOf(everyday);
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool || typeof approval.policy !== "function") return "refused";
  const checked = await tool.validate(call.args);
  if (!checked.ok) throw new TypeError(textOf(everyday));
  try {
    await tool.resource?.(checked.args);
  } catch {
    return "refused";
  }
  const said = approval.policy(call, tool);
  const decision = typeof said === "string" ? said : said.decision;
  if (decision === "deny") return "refused";
  const cautions = decision === "allow" ? await tool.cautions?.(checked.args) : [];
  return decision === "ask" || (cautions ?? []).length > 0 ? "asks" : "runs";
}
