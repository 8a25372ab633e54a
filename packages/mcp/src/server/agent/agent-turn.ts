import type { Agent, RunResult } from "@cogency/agent";
import { answerSchema } from "@cogency/tools/host";
import { answerForm } from "../asking/answer-form.ts";
import { approvalForm } from "../asking/approval-form.ts";
import type { ClientInputs, InputAsked } from "../asking/client-inputs.ts";
import { McpHostError } from "../call-host.ts";
import { runProgress } from "./run-progress.ts";

export interface TurnParts {
  readonly agent: Agent;
  readonly user: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds that the agent may work from one question to the next. */
  readonly timeout: number;
  readonly inputs: ClientInputs | undefined;
  tell(message: string): void;
}

export interface Turn {
  readonly conversation: string;
  readonly result: RunResult;
}

type OpenQuestion = Extract<RunResult, { status: "waiting" }>["waiting"][number];

/** Under which the rounds of one call keep the conversation that the first one has begun, and whether its prompt has run. */
export const begunKey = "conversation";
const promptedKey = "prompted";

/**
 * One turn of an agent, with the questions of its run put to the person at the client. A question is in the log of the conversation
 * before it is put, so a client that goes away can go on later.
 */
export async function agentTurn(
  parts: TurnParts,
  prompt: string | undefined,
  given: string | undefined,
): Promise<Turn> {
  const { agent, inputs } = parts;
  const begun = inputs?.kept(begunKey);
  const known = typeof begun === "string" ? begun : given;
  if (known === undefined && !prompt) throw new Error("Give a prompt, or the conversation to go on with.");
  const conversation = known ?? `mcp-${crypto.randomUUID()}`;
  const here = { conversation, ...(parts.user !== undefined && { user: parts.user }) };

  const options = () => ({
    ...here,
    signal: AbortSignal.any([parts.signal, AbortSignal.timeout(parts.timeout)]),
    on: runProgress(parts.tell),
  });
  const goOn = () => agent.recover({ ...options(), leaveCancelled: true }).result;

  async function answered(before: RunResult): Promise<RunResult> {
    let result = before;
    while (result.status === "waiting" && inputs?.can.elicit) {
      const settled = await Promise.all(
        result.waiting.map((question) => settle(agent, here, inputs, question).catch(unanswered)),
      );
      if (settled.includes(false)) break;
      result = await goOn();
    }
    return result;
  }

  inputs?.keep(begunKey, conversation);
  async function begin(text: string): Promise<Turn> {
    inputs?.keep(promptedKey, true);
    return { conversation, result: await answered(await agent.ask(text, options())) };
  }

  if (known === undefined) return begin(prompt ?? "");
  const earlier = await goOn();
  if (earlier.status === "failed" && earlier.error.code === "nothing_to_recover")
    throw new Error(noConversation(known));
  const result = await answered(earlier);
  const mayBegin = result.status === "completed" || result.status === "stopped";
  return prompt && mayBegin && inputs?.kept(promptedKey) !== true ? begin(prompt) : { conversation, result };
}

function noConversation(name: string): string {
  return `You have no conversation ${JSON.stringify(name)}. Leave \`conversation\` out to begin one.`;
}

/** Whether the question has an answer now: nobody can be made to answer a question of a tool. */
async function settle(
  agent: Agent,
  here: { conversation: string; user?: string },
  inputs: ClientInputs,
  question: OpenQuestion,
): Promise<boolean> {
  const { question: id, asks, client } = question;
  // It waits for the client that brought the tool, in another protocol.
  if (client) return false;
  if (asks === "approval") {
    const form = approvalForm(question);
    const tooLong = { approved: false, reason: "The call is too long for a person to read it whole." };
    const { approved, reason } = form ? await inputs.request(id, form) : tooLong;
    await agent.send(here, {
      kind: approved ? "approve" : "deny",
      question: id,
      ...(reason !== undefined && { reason }),
    });
    return true;
  }
  const answer = await inputs.request(id, fitting(question));
  if (!("content" in answer)) return false;
  await agent.send(here, { kind: "answer", question: id, content: answer.content });
  return true;
}

/** A question without an answer stays open in the conversation, and the result says how to go on. */
function unanswered(error: unknown): false {
  if (error instanceof McpHostError) return false;
  throw error;
}

/** The form of a question, which takes only answers that fit. */
function fitting({ message = "", schema }: OpenQuestion): ReturnType<typeof answerForm> {
  const form: InputAsked<AnswerRead> = answerForm(message, schema);
  const wanted = answerSchema(schema as Parameters<typeof answerSchema>[0]);
  return {
    ...form,
    async read(answer) {
      const reading = await form.read(answer);
      if ("problem" in reading || !("content" in reading.value)) return reading;
      const read = await wanted.read(reading.value.content);
      return "problem" in read ? read : { value: { content: read.content } };
    },
  };
}

type AnswerRead = Exclude<Awaited<ReturnType<ReturnType<typeof answerForm>["read"]>>, { problem: string }>["value"];
