import type { JsonObject } from "@cogency/protocol";
import {
  type AnswerRequest,
  type ApprovalAnswer,
  type ApprovalRequest,
  createExecutor,
  type Executor,
  isToolError,
  type Registry,
  type ToolExecution,
} from "@cogency/tools";
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { answerForm } from "../asking/answer-form.ts";
import { approvalForm } from "../asking/approval-form.ts";
import type { ClientInputs } from "../asking/client-inputs.ts";
import { McpHostError } from "../call-host.ts";
import type { McpExecution } from "../offer.ts";
import { lacksCapability, type Serving } from "../serving.ts";
import { callResult } from "./call-result.ts";

/** Bytes of one result. A client has no `read_result`: what is cut off is lost to it. */
const mostResultBytes = 1024 * 1024;

/** Runs calls by the executor of the tools that are offered at the moment. */
export function toolCaller(execution: McpExecution = {}) {
  const { maxResultBytes = mostResultBytes, approval = {}, ...others } = execution;
  let made: { registry: Registry; executor: Executor } | undefined;
  const executorOf = (registry: Registry) => {
    if (made?.registry !== registry) {
      made = { registry, executor: createExecutor({ ...others, approval, maxResultBytes, registry }) };
    }
    return made.executor;
  };
  const asksClient = approval.approve === undefined;

  return async (
    registry: Registry,
    { name, arguments: args = {} }: CallToolRequest["params"],
    serving: Serving,
  ): Promise<CallToolResult | InputRequiredResult> => {
    checkName(registry, name);
    const { inputs, host, tell, held, conversation } = serving;
    const [ended] = await executorOf(registry).run([{ name, args: args as JsonObject }], {
      conversation,
      user: host.user,
      content: held.content,
      signal: host.signal,
      host,
      observer: (event) => event.type === "progress" && tell(event.update),
      ...(asksClient && { approve: approver(inputs) }),
      ...(inputs.can.elicit && { answer: answerer(inputs) }),
    });
    held.add(ended?.brings ?? []);
    const asked = await serving.asked();
    if (asked) return asked;
    host.signal.throwIfAborted();
    const execution = ended as ToolExecution;
    const lacking = lacksCapability(execution.error, host.revision);
    if (lacking) throw lacking;
    return callResult(execution);
  };
}

/** @throws ProtocolError with the names that are near */
function checkName(registry: Registry, name: string): void {
  try {
    registry.get(name);
  } catch (error) {
    if (!isToolError(error, "unknown_tool")) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
}

/** Asks the person at the client whether a call may run. */
function approver(inputs: ClientInputs) {
  let count = 0;
  return async ({ call, concerns, touches, agents }: ApprovalRequest): Promise<ApprovalAnswer> => {
    if (!inputs.can.elicit) return { approved: false, reason: cannotAsk };
    const form = approvalForm({ name: call.name, args: call.args, concerns, touches, agents });
    if (!form) return { approved: false, reason: "The call is too long for a person to read it whole." };
    count++;
    return inputs.request(`approval-${count}`, form);
  };
}

const cannotAsk =
  "It needs the approval of a person, and this client cannot ask one. Use a client that offers elicitation, or let the host of the " +
  "server allow the tool by a rule.";

/** Puts the questions of bodies to the person at the client. */
function answerer(inputs: ClientInputs) {
  let count = 0;
  return async ({ message, schema, problem }: AnswerRequest): Promise<unknown> => {
    count++;
    const text = problem === undefined ? message : `${message}\n\nThe last answer does not fit: ${problem}.`;
    const answer = await inputs.request(`question-${count}`, answerForm(text, schema));
    if ("content" in answer) return answer.content;
    throw new McpHostError("no_answer", "The person declined to answer.");
  };
}
