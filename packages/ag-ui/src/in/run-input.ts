import type { Context } from "@ag-ui/core";
import type { Json, ToolSpec } from "@cogency/protocol";
import { checkDepth, type Fields, listAt, nameAt, objectAt, optionalText, textAt, wrong } from "./fields.ts";
import { type GivenMessage, readMessages } from "./given-message.ts";

/** What a run of AG-UI was asked for. Everything in it is what the client says. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId: string | undefined;
  readonly messages: readonly GivenMessage[];
  readonly tools: readonly ToolSpec[];
  readonly context: readonly Context[];
  readonly resume: readonly Resume[];
}

/** What a person decided about an interrupt. */
export interface Resume {
  readonly interruptId: string;
  readonly isCancelled: boolean;
  readonly payload: Json | undefined;
}

/**
 * Reads a `RunAgentInput`. Fields that AG-UI does not describe are ignored, and so are `state` and `forwardedProps`.
 *
 * @throws Problem `invalid_request`, which names the field
 */
export function readRunInput(body: Fields): RunInput {
  return {
    threadId: nameAt(body.threadId, "threadId", 512),
    runId: nameAt(body.runId, "runId", 512),
    parentRunId: optionalText(body.parentRunId, "parentRunId"),
    messages: readMessages(body.messages),
    tools: readTools(body.tools),
    context: listAt(body.context, "context", 100).map(readContext),
    resume: listAt(body.resume, "resume", 100).map(readResume),
  };
}

function readContext(given: unknown, index: number): Context {
  const place = `context[${index}]`;
  const { description, value } = objectAt(given, place);
  return { description: textAt(description, `${place}.description`), value: textAt(value, `${place}.value`) };
}

function readResume(given: unknown, index: number): Resume {
  const place = `resume[${index}]`;
  const { interruptId, status, payload } = objectAt(given, place);
  if (status !== "resolved" && status !== "cancelled") throw wrong(`${place}.status`, 'give "resolved" or "cancelled"');
  checkDepth(payload, `${place}.payload`);
  return {
    interruptId: textAt(interruptId, `${place}.interruptId`),
    isCancelled: status === "cancelled",
    payload: payload as Json | undefined,
  };
}

function readTools(given: unknown): ToolSpec[] {
  const tools = listAt(given, "tools", 128).map(readTool);
  const twice = tools.find(({ name }, index) => tools.findIndex((other) => other.name === name) !== index);
  if (twice) throw wrong("tools", `two of them have the name ${twice.name}`);
  return tools;
}

/** The name, the description and the schema of a tool of the client. Its other fields are left out, also a claim that it only reads. */
function readTool(given: unknown, index: number): ToolSpec {
  const place = `tools[${index}]`;
  const { name, description, parameters } = objectAt(given, place);
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw wrong(`${place}.name`, "give 1 to 64 letters, digits, _ and -");
  const schema = objectAt(parameters ?? {}, `${place}.parameters`);
  checkDepth(schema, `${place}.parameters`);
  if ((schema.type ?? "object") !== "object") throw wrong(`${place}.parameters.type`, 'give "object"');
  return {
    name,
    description: optionalText(description, `${place}.description`) ?? "",
    parameters: { type: "object", properties: {}, ...schema },
  };
}
