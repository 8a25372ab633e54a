import { type JsonObject, type JsonSchema, type LogEvent, protocolPrompt, type ToolSpec } from "@cogency/protocol";
import type { RecordedToolDefinition } from "../play/played-calls.ts";
import type { FoundRequest } from "./requests-of.ts";
import type { AgentPlan } from "./test-plan.ts";
import { UnwritableTestError } from "./unwritable.ts";

/**
 * Reads the agent off what it asked the model.
 *
 * @throws UnwritableTestError `agent_not_in_log` for what no request tells
 */
export function agentOf(requests: readonly FoundRequest[], log: readonly LogEvent[]): AgentPlan {
  const [first] = requests;
  if (!first) throw new UnwritableTestError("not_recorded", notRecorded);
  refuseOthers(requests, log);
  const { instructions, tools } = taughtThroughout(requests, log);
  const { format, ...settings } = first.settings ?? {};
  const limit = steps(log);
  return {
    instructions,
    tools: tools.map((tool) => ({ ...tool, ...asksOf(tool.name, log) })),
    ...(Object.keys(settings).length > 0 && { request: settings }),
    ...(requests.some(({ without = [] }) => without.length > 0) && { condenses: true }),
    ...(limit !== undefined && { budget: { steps: limit } }),
    ...(first.driver === "react" && format !== undefined && { reactOutput: outputOf(format as JsonObject) }),
  };
}

export const notRecorded =
  "The log does not hold what the model was asked: the agent did not record its requests. " +
  "Give the agent that had the conversation, with --agent ./src/agent.ts#makeAgent.";

function refuseChange(why: string): never {
  throw new UnwritableTestError(
    "agent_not_in_log",
    `${why}, which an agent made from the log alone cannot repeat. Give the agent that had the conversation, with --agent ./src/agent.ts#makeAgent.`,
  );
}

/** What a request does not tell, but changes what the model is asked. */
function refuseOthers(requests: readonly FoundRequest[], log: readonly LogEvent[]): void {
  const has = (kind: string) => log.some((event) => event.type === "record" && event.kind === kind);
  const refuse = refuseChange;
  if (has("summary")) refuse("Earlier messages of the conversation were summed up");
  if (has("tools_found")) refuse("The model searched its tools");
  if (has("source_tools")) refuse("The tools came from a server and may change");
  const drivers = new Set(requests.map(({ driver, form = "" }) => `${driver} ${form}`));
  if (new Set([...drivers].filter((one) => !one.endsWith(" "))).size > 1) refuse("The agent changed its driver");
}

/** @throws UnwritableTestError where a later request teaches something else */
function taughtThroughout(requests: readonly FoundRequest[], log: readonly LogEvent[]): Taught {
  const [first, ...later] = requests.filter(({ system }) => system !== undefined);
  const taught = taughtBy(first ?? (requests[0] as FoundRequest), log);
  const other = later.find((request) => JSON.stringify(taughtBy(request, log)) !== JSON.stringify(taught));
  if (other) refuseChange(`The system prompt or the tools changed at event ${other.at + 1}`);
  return taught;
}

interface Taught {
  instructions: string;
  tools: ToolSpec[];
}

function taughtBy(request: FoundRequest, log: readonly LogEvent[]): Taught {
  const { driver, system = "", tools = [], form } = request;
  const brought = new Set(
    log.flatMap((event) =>
      event.type === "record" && event.kind === "client_tools" ? event.data.tools.map(({ name }) => name) : [],
    ),
  );
  const own = (all: readonly ToolSpec[]) => all.filter(({ name }) => !brought.has(name));
  if (driver === "native" || driver === "scripted") {
    return { instructions: withoutObject(system, request, log), tools: own(tools) };
  }
  const start = driver === "react" ? "## Decisions\n\nYou work in steps." : "## Protocol\n\nText outside the markers";
  const at = system.lastIndexOf(start);
  if (at === -1) {
    throw new UnwritableTestError(
      "agent_not_in_log",
      `The tools of the driver ${driver} cannot be read from its system prompt. Give the agent that had the conversation, with --agent ./src/agent.ts#makeAgent.`,
    );
  }
  const taught = system.slice(at);
  const all = toolsIn(taught);
  return {
    instructions: withoutObject(system.slice(0, at).trimEnd(), request, log),
    tools: own(form === "json" || form === "xml" ? withReadOnly(all, taught, form) : all),
  };
}

/** The instructions without what a run for an object adds to them. */
function withoutObject(system: string, { at }: FoundRequest, log: readonly LogEvent[]): string {
  const record = log.slice(0, at).findLast((event) => event.type === "record" && event.kind === "object");
  const added = system.search(
    /(When you have called the tools that you need, answer|Answer) with one JSON value and nothing else: /,
  );
  if (!record || added === -1) return system;
  return system.slice(0, added).trimEnd();
}

/** The tools as the drivers that teach them in the system prompt list them. */
function toolsIn(taught: string): ToolSpec[] {
  const list = taught.slice(taught.lastIndexOf("\n## Tools\n"));
  return [...list.matchAll(/^- ([A-Za-z_][\w-]{0,63}): (.*)\n {2}parameters: (\{.*\})$/gm)].map(
    ([, name = "", description = "", parameters = "{}"]) => ({
      name,
      description: description.replaceAll("\\u003c", "<"),
      parameters: JSON.parse(parameters) as JsonSchema,
    }),
  );
}

/** The examples of the prompt are calls of the first two tools that change nothing. */
function withReadOnly(tools: readonly ToolSpec[], taught: string, dialect: "json" | "xml"): ToolSpec[] {
  const examples = taught.slice(0, taught.lastIndexOf("\n## Tools\n"));
  const marked = tools.map((tool) => {
    const isShown = examples.includes(dialect === "xml" ? `<${tool.name}>` : `{"name":"${tool.name}",`);
    return isShown ? { ...tool, readOnly: true } : tool;
  });
  return protocolPrompt(marked, { dialect }) === taught ? marked : [...tools];
}

/** Whether the calls of a tool asked a person. */
function asksOf(name: string, log: readonly LogEvent[]): Pick<RecordedToolDefinition, "approval" | "asks"> {
  const questions = log.flatMap((event) =>
    event.type === "record" && event.kind === "question" && !event.data.agents && event.data.name === name
      ? [event.data.asks]
      : [],
  );
  return {
    ...(questions.includes("approval") && { approval: "ask" as const }),
    ...(questions.includes("answer") && { asks: true as const }),
  };
}

/** The limit of steps of a run that it stopped. */
function steps(log: readonly LogEvent[]): number | undefined {
  const stops = log.flatMap((event) =>
    event.type === "record" && event.kind === "run" && event.data.stop?.reason === "steps_limit"
      ? [event.data.stop]
      : [],
  );
  const limit = stops.at(-1)?.context?.maxSteps;
  return typeof limit === "number" ? limit : undefined;
}

function outputOf(format: JsonObject): "schema" | "json" {
  return Object.keys(format).length === 1 ? "json" : "schema";
}
