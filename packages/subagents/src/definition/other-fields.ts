/**
 * Fields that other programs read, and that mean nothing here: how the agent looks, how its model samples, and what runs without a
 * question, which is the person's to say.
 *
 * As described in November 2026 at https://code.claude.com/docs/en/sub-agents (Claude Code) and https://opencode.ai/docs/agents (opencode).
 */
const harmless: ReadonlySet<string> = new Set([
  ...["color", "effort", "background", "initialPrompt", "memory", "version", "author", "license", "metadata"],
  ...["temperature", "top_p", "variant", "hidden", "reasoningEffort", "textVerbosity", "thinking"],
]);

/** Fields of the same programs without which an agent would do more than its author wanted, or something else. */
const needed: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  permissionMode: (mode) =>
    mode === "plan"
      ? 'permissionMode: plan is not known here. Name the tools that only read: "tools: read, list, find".'
      : undefined,
  hooks: () =>
    "hooks are programs, which the file of an agent cannot start here. Remove the field if the agent is safe without them.",
  mcpServers: () => "mcpServers are not started here. Remove the field if the agent can work without their tools.",
  isolation: () => "isolation is not known here: the agent would change your files. Remove the field if it may.",
  prompt: () => "prompt is not read here. Write the instructions below the front matter, and remove the field.",
};

/** Why a file with this field is left out; undefined where the field changes nothing here. */
export function unknownField(field: string, value: unknown, known: readonly string[]): string | undefined {
  if (harmless.has(field)) return undefined;
  if (Object.hasOwn(needed, field)) return needed[field]?.(value);
  return `"${field.slice(0, 80)}" is no field of an agent. There are ${known.join(", ")}.`;
}
