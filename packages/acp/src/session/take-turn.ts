import type { Agent, RunResult } from "@cogency/agent";
import type { Key } from "@cogency/storage";
import type { Prompt } from "../in/read-prompt.ts";
import type { QuestionDesk } from "../questions/question-desk.ts";

interface TurnParts {
  agent: Pick<Agent, "run" | "recover" | "send">;
  key: Key;
  desk: Pick<QuestionDesk, "mark" | "moved" | "hasDeclined" | "answerFor">;
  /** Aborts to cancel the turn; with a TimeoutError it is interrupted, and somebody goes on with it later. */
  signal: AbortSignal;
}

/** Takes a turn to its end: asks the person while it waits, and goes on once they have answered. Never rejects for a run that failed. */
export async function takeTurn(parts: TurnParts, prompt: Prompt): Promise<RunResult> {
  return untilAnswered(parts, () => begin(parts, prompt));
}

/** Goes on with a turn whose questions were answered. */
export async function goOn(parts: TurnParts): Promise<RunResult> {
  return untilAnswered(parts, () => recover(parts));
}

/** Begins a turn with the notices that wait. It fails with `busy` while another run holds the conversation. */
export async function takeNotices(parts: TurnParts): Promise<RunResult> {
  const { agent, key, signal } = parts;
  const { conversation } = key;
  return untilAnswered(parts, () => agent.recover({ conversation, signal, leaveCancelled: true }).result);
}

async function untilAnswered(parts: TurnParts, first: () => Promise<RunResult>): Promise<RunResult> {
  const { desk, signal } = parts;
  let mark = desk.mark;
  let result = await first();
  while (result.status === "waiting" && !signal.aborted) {
    await desk.moved(mark, signal);
    mark = desk.mark;
    if (!signal.aborted) result = await recover(parts);
  }
  return result.status === "waiting" && isCancelled(signal) ? cancel(parts) : result;
}

async function begin(parts: TurnParts, prompt: Prompt): Promise<RunResult> {
  const { agent, key, signal } = parts;
  const { text, attachments, untrusted } = prompt;
  const content = attachments.length === 0 ? text : { text, attachments };
  for (;;) {
    const options = { conversation: key.conversation, signal, untrusted, private: prompt.private };
    const result = await agent.run(content, options).result;
    if (result.error?.code !== "busy" || signal.aborted) return result;
    // A message cannot say what it holds, so such words wait until the run elsewhere is over.
    if (untrusted === undefined && prompt.private === undefined) break;
    await recover(parts);
  }
  return join(parts, prompt);
}

/** Another run holds the conversation: it reads the words when it has answered. Resolves when that is over. */
async function join(parts: TurnParts, { text, attachments }: Prompt): Promise<RunResult> {
  const { agent, key, signal } = parts;
  await agent.send(key, { kind: "prompt", content: text, ...(attachments.length > 0 && { attachments }) });
  const stop = () => {
    if (isCancelled(signal)) void agent.send(key, { kind: "cancel" }).catch(() => {});
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await recover(parts);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Goes on in this process, once no other run holds the conversation; not with a turn that was cancelled meanwhile. */
function recover({ agent, key, desk, signal }: TurnParts): Promise<RunResult> {
  const answer = desk.hasDeclined && {
    answer: (request: { question: string; signal: AbortSignal }) => desk.answerFor(request.question, request.signal),
  };
  const { conversation } = key;
  return agent.recover({ conversation, wait: true, leaveCancelled: true, signal, ...answer }).result;
}

/** Ends a turn that waits for answers: the run that takes the message closes its questions. */
async function cancel({ agent, key }: TurnParts): Promise<RunResult> {
  await agent.send(key, { kind: "cancel" });
  return agent.recover({ conversation: key.conversation, wait: true }).result;
}

function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof Error && reason.name === "TimeoutError");
}
