import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Agent } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import { messageOf } from "../../base/errors/message-of.ts";
import { note } from "../../base/terminal/note.ts";

interface Watched {
  readonly conversation: string;
  readonly store: Store;
  agent(): Promise<Pick<Agent, "recover">>;
}

/** Milliseconds until a notice is tried again while a run is at work, which may read it, too. */
const busyPause = 500;

/**
 * Goes on with a conversation by what comes without a prompt of the editor: once somebody elsewhere has answered the question of a turn
 * that waits, as with `cogency approve`, whose command has no agent that could; and with a notice that begins a turn.
 */
export class PostWatch {
  readonly #own = new Set<string>();
  readonly #ending = new AbortController();
  #watched: Watched | undefined;
  #done: Promise<void> = Promise.resolve();
  #noticed: Promise<void> | undefined;

  /** Sends messages of this session, whose turn goes on by itself. */
  sender(send: Agent["send"]): Agent["send"] {
    return (to, message, { id = randomUUID(), ...options } = {}) => {
      this.#own.add(id);
      return send(to, message, { ...options, id });
    };
  }

  begin(watched: Watched): void {
    this.#watched = watched;
    // A store that fails ends the turns, too, which say so.
    this.#done = this.#watch(watched).catch(() => {});
  }

  /** A turn is over: a notice may have come too late for it. */
  lookAgain(): void {
    if (this.#watched) this.#lookForNotice(this.#watched);
  }

  /** Interrupts what goes on by it. */
  async close(): Promise<void> {
    this.#ending.abort(new DOMException("The editor has gone.", "TimeoutError"));
    await this.#done;
    await this.#noticed;
  }

  async #watch(watched: Watched): Promise<void> {
    const { conversation, store, agent } = watched;
    const { signal } = this.#ending;
    for await (const _ of store.watch({ conversation }, { of: "posts", signal })) {
      this.#lookForNotice(watched);
      const posted = await store.inbox({ conversation });
      const isAnswered = posted.some(({ id, message: { kind } }) => !this.#own.has(id) && answers.has(kind));
      // Another run may have been quicker: then it has taken the message.
      if (!isAnswered || signal.aborted) continue;
      // The next answer may come to an agent that can be opened.
      const opened = await agent().catch((error: Error) => {
        note(`✗ ${messageOf(error)}`);
        return undefined;
      });
      await opened?.recover({ conversation, signal }).result;
    }
  }

  #lookForNotice(watched: Watched): void {
    if (this.#ending.signal.aborted) return;
    this.#noticed ??= this.#goOnWithNotices(watched)
      .catch((error: Error) => {
        if (!this.#ending.signal.aborted) note(`✗ ${messageOf(error)}`);
      })
      .finally(() => {
        this.#noticed = undefined;
      });
  }

  /** Begins a turn with each notice that waits, unless the last turn is open: the person decides whether that goes on. */
  async #goOnWithNotices({ conversation, store, agent }: Watched): Promise<void> {
    const { signal } = this.#ending;
    let tried: string | undefined;
    while (!signal.aborted) {
      const posted = await store.inbox({ conversation });
      const notice = posted.find(({ message }) => message.kind === "notice" && beginsTurn(message));
      if (!notice || notice.id === tried || !isOver(await store.load({ conversation }))) return;
      const { status, error } = await (await agent()).recover({ conversation, signal, leaveCancelled: true }).result;
      if (error?.code === "busy") {
        await setTimeout(busyPause, undefined, { signal });
        continue;
      }
      if (status === "failed") note(`✗ ${error?.message ?? "A turn that a notice has begun has failed."}`);
      tried = notice.id;
    }
  }
}

const answers: ReadonlySet<string> = new Set(["approve", "deny", "answer"]);

/** Whether the last turn has come to its end. */
function isOver(log: readonly LogEvent[]): boolean {
  return log.findLast((event) => event.type !== "record" || event.kind === "run")?.type === "record";
}
