import { openAgents } from "./agents/open-agents.ts";
import { openHooks } from "./hooks/open-hooks.ts";
import { openMcp } from "./mcp/open-mcp.ts";
import { openMemory } from "./memory/open-memory.ts";
import type { OpenPart } from "./open-part.ts";
import type { PartSources } from "./part-sources.ts";
import { openPlan } from "./plan/open-plan.ts";
import { openSkills } from "./skills/open-skills.ts";

/** The parts of an agent, in the order in which the model reads what they say. To add one, add its line here. */
export async function openParts(sources: PartSources) {
  const { project, options, extensions, modes, guarded } = sources;
  return {
    skills: await openSkills(sources),
    agents: await openAgents(sources),
    extensions,
    hooks: await openHooks(project, options, guarded),
    mcp: await openMcp(sources),
    plan: openPlan(options, modes),
    memory: await openMemory(sources),
  } satisfies Readonly<Record<string, OpenPart>>;
}

export type OpenParts = Awaited<ReturnType<typeof openParts>>;
