import { type Agent, createAgent } from "@cogency/agent";
import { type ModelRequest, type ScriptedProvider, scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { processKeyRing } from "@cogency/tools/host";

/** A clock that is one second later each time. */
export function ticking(from = 1_780_000_000): () => number {
  let now = from;
  return () => ++now;
}

export const keyRing = processKeyRing();

/** A model that answers every request with the same words. */
export function answering(words = "Done.<end>", times = 1000): ScriptedProvider {
  return scripted(Array.from({ length: times }, () => words));
}

/** An agent of a person, whose model answers whatever is said. */
export function agentOf(
  store: Store,
  options: { provider?: ScriptedProvider; clock?: () => number; scope?: string; recordRequests?: boolean } = {},
): Agent {
  const { provider = answering(), ...others } = options;
  return createAgent({ provider, store, keyRing, ...others });
}

/** What a person says in one conversation. */
export async function say(agent: Agent, conversation: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    const { status, error } = await agent.ask(text, { conversation });
    if (status !== "completed") throw new Error(`The run ended as ${status}: ${error?.message}`);
  }
}

export interface Line {
  message?: number;
  memory?: string;
  about?: string;
  words: string;
}

/** A model that chooses by a function of the lines that it is given. */
export function choosing(choose: (lines: readonly Line[]) => object | string, times = 200): ScriptedProvider {
  const step = ({ messages: [first] }: ModelRequest) => {
    const content = first?.role === "user" ? String(first.content) : "";
    const answer = choose(content.split("\n").map((line) => JSON.parse(line) as Line));
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  };
  return scripted(Array.from({ length: times }, () => step));
}

/** Keeps each sentence of a message that begins with "I" or "Always". */
export function sentences(lines: readonly Line[]): object {
  const keep = lines.flatMap(({ message, words }) =>
    message === undefined
      ? []
      : (words.match(/(?:I |Always )[^.]*\./g) ?? []).map((found) => ({ message, words: found, about: "preference" })),
  );
  return { keep };
}
