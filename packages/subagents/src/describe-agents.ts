import type { AgentDefinition } from "./agent-definition.ts";

/** What the model reads of the tool: a line of each agent. The same agents always give the same text. */
export function describeAgents(agents: readonly AgentDefinition[]): string {
  const left = { bytes: mostBytes };
  const lines = agents.map((agent) => lineOf(agent, left)).filter((line) => line !== undefined);
  const more = agents.length - lines.length;
  return [
    "Give work to another agent, which does it with a conversation of its own and reads nothing of this one: say all that it needs in " +
      "`prompt`. Its last answer is the result. Several calls in one block work side by side.",
    "Agents:",
    ...lines,
    ...(more > 0 ? [`and ${more} more, which \`agent\` names`] : []),
  ].join("\n");
}

const mostBytes = 16_000;
const mostCharacters = 1024;

function lineOf({ name, description, tools }: AgentDefinition, left: { bytes: number }): string | undefined {
  const has = tools === undefined ? "" : ` (tools: ${tools.length > 0 ? tools.join(", ") : "none"})`;
  const line = `- ${name}: ${oneLine(`${description}${has}`)}`;
  left.bytes -= new TextEncoder().encode(line).length;
  return left.bytes < 0 ? undefined : line;
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return (line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1)}…` : line).toWellFormed();
}
