import { randomUUID } from "node:crypto";
import type { Agent } from "@cogency/agent";
import type { Store } from "@cogency/storage";

interface Watched {
  readonly conversation: string;
  readonly store: Store;
  agent(): Promise<Pick<Agent, "recover">>;
}

/**
 * Goes on with a turn that waits, once somebody elsewhere has answered its question, as with `cogency approve`: those commands have no
 * agent that could.
 */
export class AnswerWatch {
  readonly #own = new Set<string>();
  readonly #ending = new AbortController();
  #done: Promise<void> = Promise.resolve();

  /** Sends messages of this session, whose turn goes on by itself. */
  sender(send: Agent["send"]): Agent["send"] {
    return (to, message, { id = randomUUID(), ...options } = {}) => {
      this.#own.add(id);
      return send(to, message, { ...options, id });
    };
  }

  begin(watched: Watched): void {
    // A store that fails ends the turns, too, which say so.
    this.#done = this.#watch(watched).catch(() => {});
  }

  /** Interrupts what goes on by it. */
  close(): Promise<void> {
    this.#ending.abort(new DOMException("The editor has gone.", "TimeoutError"));
    return this.#done;
  }

  async #watch({ conversation, store, agent }: Watched): Promise<void> {
    const { signal } = this.#ending;
    for await (const _ of store.watch({ conversation }, { of: "posts", signal })) {
      const posted = await store.inbox({ conversation });
      const isAnswered = posted.some(({ id, message: { kind } }) => !this.#own.has(id) && answers.has(kind));
      // Another run may have been quicker: then it has taken the message.
      if (isAnswered && !signal.aborted) await (await agent()).recover({ conversation, signal }).result;
    }
  }
}

const answers: ReadonlySet<string> = new Set(["approve", "deny", "answer"]);
