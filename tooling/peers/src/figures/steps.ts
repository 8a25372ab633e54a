import { setTimeout } from "node:timers/promises";
import type { Conversation } from "../model/conversation.ts";
import { type Reply, said } from "../model/reply.ts";
import type { Wish } from "../peers/peer.ts";
import { watchUsage } from "../usage.ts";
import { answerQuestions } from "./answer-questions.ts";
import { chat, type Session, send } from "./session.ts";

/** What a turn of 200 steps costs. */
export interface Steps {
  /** Milliseconds from a call of the model to the next request, the call included. */
  readonly millisecondsPerStep: number;
  /** The most MB that all its processes held. */
  readonly peakMemory: number;
  readonly questions: number;
}

const count = 200;
const patience = 120_000;

/** A turn of 200 steps in a chat: reads of a small file and runs of `echo` by turns. */
export function steps(session: Session): Promise<Steps> {
  const { peer, place } = session;
  return chat(session, { options: peer.trusting ?? [] }, async (terminal, mark) => {
    const usage = watchUsage(mark);
    let made = 0;
    let called = 0;
    let waited = 0;
    let isOver = false;
    session.server.model = (conversation: Conversation): Reply => {
      const now = performance.now();
      if (made > 0) waited += now - called;
      if (made === count) {
        isOver = true;
        return said("Two hundred steps are done.");
      }
      made++;
      const wish: Wish =
        made % 2 === 1
          ? { kind: "read", file: `${place.project}/src/sum.js` }
          : { kind: "shell", command: `echo step ${made}` };
      called = performance.now();
      return { kind: "call", call: peer.call(wish, conversation.tools) };
    };
    try {
      await send(terminal, "Take many steps");
      const late = AbortSignal.timeout(patience);
      const questions = await answerQuestions(peer, terminal, () => {
        usage.now();
        return isOver || late.aborted;
      });
      await setTimeout(500);
      if (!isOver)
        throw new Error(
          `after ${patience / 1000} s it had made ${made} of ${count} steps, and showed:\n${terminal.screen()}`,
        );
      return { millisecondsPerStep: waited / count, peakMemory: usage.now().peak / 1e6, questions };
    } finally {
      usage.stop();
    }
  });
}
