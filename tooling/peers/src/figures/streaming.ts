import { setTimeout } from "node:timers/promises";
import { markdown, paced } from "../model/markdown.ts";
import { watchUsage } from "../usage.ts";
import { chat, type Session, send } from "./session.ts";

/** What a long answer costs. */
export interface Streaming {
  /** MB that all its processes hold when a prompt can be typed. */
  readonly startMemory: number;
  /** Seconds from sending the prompt until the last word is shown; absent if that had not happened when the measurement ended. */
  readonly shownAfter?: number;
  /** MB when the answer is shown. */
  readonly endMemory: number;
  /** Seconds of processor time for the answer. */
  readonly cpu: number;
  /** Bytes to the terminal for the answer. */
  readonly bytes: number;
}

/** How long the answer is awaited, in milliseconds: more than twice as long as it takes to arrive. */
const patience = 45_000;

/** Characters of the answer, and how many of them come in a second. */
const length = 1_000_000;
const rate = 60_000;
const closing = "That was the last word.";

/** Streams an answer of 1 MB of Markdown into a chat. */
export function streaming(session: Session): Promise<Streaming> {
  return chat(session, { options: [] }, async (terminal, mark) => {
    const usage = watchUsage(mark);
    try {
      await setTimeout(2000);
      const before = usage.now();
      const bytesBefore = terminal.bytes;
      session.server.model = () => ({ kind: "text", pieces: paced(`${markdown(length)}\n\n${closing}\n`, rate) });
      await send(terminal, "Write a long answer");
      const sent = performance.now();
      const isShown = await terminal.shows(new RegExp(closing), patience).then(
        () => true,
        () => false,
      );
      const shownAfter = (performance.now() - sent) / 1000;
      await setTimeout(1000);
      const after = usage.now();
      return {
        ...(isShown && { shownAfter }),
        startMemory: before.memory / 1e6,
        endMemory: after.memory / 1e6,
        cpu: after.seconds - before.seconds,
        bytes: terminal.bytes - bytesBefore,
      };
    } finally {
      usage.stop();
    }
  });
}
