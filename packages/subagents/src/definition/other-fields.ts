import type { AgentProblemCode } from "./written-agent.ts";

/** Why a file with this value of the field is left out; undefined where the field changes nothing here. */
type Judge = (value: unknown) => readonly [code: AgentProblemCode, message: string] | undefined;

/**
 * Fields that other programs read, and that mean nothing here. Most say how the agent looks, how its model samples, or what runs without a
 * question, which is the person's to say. A field without which the agent would do more than its author wanted, or something else, keeps
 * the file from being read.
 *
 * As described in November 2026 at https://code.claude.com/docs/en/sub-agents (Claude Code) and https://opencode.ai/docs/agents (opencode).
 */
export const otherFields: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  // Of Claude Code.
  ...harmless("color", "effort", "background", "initialPrompt", "memory", "version", "author", "license", "metadata"),
  [
    "permissionMode",
    (mode) =>
      mode === "plan" &&
      unsupported('permissionMode: plan is not known here. Name the tools that only read: "tools: read, list, find".'),
  ],
  [
    "hooks",
    () =>
      unsupported(
        "hooks are programs, which a file of an agent cannot start here. Remove the field if the agent is safe without them.",
      ),
  ],
  [
    "mcpServers",
    () => unsupported("mcpServers are not started here. Remove the field if the agent can work without their tools."),
  ],
  [
    "isolation",
    () => unsupported("isolation is not known here: the agent would change your files. Remove the field if it may."),
  ],
  // Of opencode.
  ...harmless("temperature", "top_p", "variant", "hidden", "reasoningEffort", "textVerbosity", "thinking"),
  [
    "mode",
    (mode) => {
      if (mode === "subagent" || mode === "all") return undefined;
      return mode === "primary"
        ? ["not_for_agents", "mode: primary is for an agent that a person speaks to. Write subagent or all."]
        : ["field_invalid", 'mode must be "subagent", "all" or "primary".'];
    },
  ],
  ["disable", isOff],
  ["disabled", isOff],
  [
    "prompt",
    () => unsupported("prompt is not read here. Write the instructions below the front matter, and remove the field."),
  ],
] as [string, Judge][]);

function harmless(...names: string[]): [string, Judge][] {
  return names.map((name) => [name, () => undefined]);
}

function unsupported(message: string): readonly [AgentProblemCode, string] {
  return ["field_unsupported", message];
}

function isOff(value: unknown): readonly [AgentProblemCode, string] | undefined {
  return value === false ? undefined : ["not_for_agents", "The agent is switched off. Remove the field to use it."];
}
