import type { Store } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";

interface Options {
  store(): Promise<Store>;
  /** Called when a notice waits for the conversation that begins a turn, at any time. */
  onNotice(conversation: string): void;
}

/** Looks for notices that wait for the conversation of a chat: of agents in the background, and from outside. */
export class NoticeWatch {
  readonly #options: Options;
  #watching: AbortController | undefined;
  #conversation: string | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Watches this conversation from now on, in place of the one before. */
  follow(conversation: string): void {
    if (this.#conversation === conversation) return;
    this.close();
    this.#conversation = conversation;
    this.#watching = new AbortController();
    // A store that fails ends the turns, too, which say so.
    void this.#watch(conversation, this.#watching.signal).catch(() => {});
  }

  /** Looks whether a notice came while nobody could take it. */
  lookAgain(conversation: string): void {
    // A conversation that is new is watched from here on, which looks, too.
    if (this.#conversation !== conversation) this.follow(conversation);
    else if (this.#watching) void this.#look(conversation, this.#watching.signal).catch(() => {});
  }

  close(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    this.#conversation = undefined;
  }

  async #watch(conversation: string, signal: AbortSignal): Promise<void> {
    const store = await this.#options.store();
    for await (const _ of store.watch({ conversation }, { of: "posts", signal }))
      await this.#look(conversation, signal);
  }

  async #look(conversation: string, signal: AbortSignal): Promise<void> {
    const messages = await (await this.#options.store()).inbox({ conversation });
    const waits = messages.some(({ message }) => message.kind === "notice" && beginsTurn(message));
    if (waits && !signal.aborted) this.#options.onNotice(conversation);
  }
}
