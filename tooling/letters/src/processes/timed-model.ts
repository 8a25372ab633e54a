import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelRequest, Provider } from "@cogency/provider";

interface Pace {
  /** Milliseconds between two words. */
  pause: number;
  /** The least words of each text. */
  words: number;
  /** The model goes on to write a text until this folder holds a file named after it, `first` or `second`. Defaults to no folder. */
  gates?: string | undefined;
}

/**
 * A model whose words are times: each is the millisecond in which it was written, to the base of 36. So whoever sees a word knows how old
 * it is, and no two words of a conversation are the same. It thinks, writes a text, calls the tool `look`, and writes another text.
 */
export function timedModel({ pause, words, gates }: Pace): Provider {
  const isShut = (gate: string) => gates !== undefined && !existsSync(join(gates, gate));

  async function* write(count: number, gate?: "first" | "second") {
    let last = 0;
    const word = () => {
      last = Math.max(last + 1, Date.now());
      return last.toString(36);
    };
    for (let at = 0; at < count || (gate !== undefined && isShut(gate)); at++) {
      await sleep(pause);
      yield { type: "text", text: at === 0 ? word() : ` ${word()}` } as const;
    }
  }

  async function* answer(request: ModelRequest) {
    const say = (text: string) => ({ type: "text", text }) as const;
    if (!wasCalled(request)) {
      yield say("<think>");
      yield* write(10);
      yield say("</think>");
      yield* write(words, "first");
      yield say('<execute>[{"name":"look","args":{"at":"');
      yield* write(10);
      yield say('"}}]</execute>');
    } else {
      yield* write(words, "second");
      yield say("<end>");
    }
    yield { type: "finish", reason: "stop" } as const;
  }

  return {
    name: "timed",
    model: "timed-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    stream: answer,
  };
}

/** Whether the last message is the result of the call. */
function wasCalled({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages.at(-1) ?? "").includes("<results>");
}
