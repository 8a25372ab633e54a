import type { Agent, RunResult } from "@cogency/agent";
import { wait } from "@cogency/async";
import type { LogEvent } from "@cogency/protocol";
import type { Key, Store, StoredMessage } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import type { QuestionDesk } from "../questions/question-desk.ts";
import { goOn, takeNotices } from "./take-turn.ts";

interface BackgroundParts {
  store: Pick<Store, "watch" | "inbox" | "load">;
  key: Key;
  agent(): Promise<Pick<Agent, "run" | "recover" | "send">>;
  desk: QuestionDesk;
  /** Whether a prompt is at work: then nothing begins here, and its turn reads the answers. */
  isPrompted(): boolean;
  /** A turn that began here is over. */
  onOver(result: RunResult): Promise<void>;
  onError(error: unknown): void;
}

interface Work {
  readonly cancelling: AbortController;
  readonly done: Promise<void>;
}

/** Milliseconds until a notice is tried again while a run elsewhere is at work, which may read it, too. */
const busyPause = 500;

/**
 * Takes the turns of a session that begin without a prompt of the editor: once a question was answered, here or elsewhere, as with a
 * program that only posts the answer; and with a notice that begins a turn.
 */
export class Background {
  readonly #parts: BackgroundParts;
  readonly #watching = new AbortController();
  /** The answers that were read, and those of this session, whose desk tells of them. */
  readonly #known = new Set<string>();
  #watch: Promise<void> | undefined;
  #work: Work | undefined;
  #isAnswered = false;
  #isNoticed = false;
  /** A turn is at work here, which reads the answers itself. */
  #isTaking = false;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  /** Looks from now on for what others post. */
  begin(): void {
    this.#watch ??= this.#follow().catch((error: unknown) => {
      if (!this.#watching.signal.aborted) this.#parts.onError(error);
    });
  }

  /** An id for an answer of this session. */
  answerId(): string {
    const id = crypto.randomUUID();
    this.#known.add(id);
    return id;
  }

  /** A question was answered here. */
  answered(): void {
    if (this.#parts.isPrompted() || this.#isTaking) return;
    this.#isAnswered = true;
    this.#start();
  }

  /** A prompt was answered: a notice may have come too late for its turn. */
  lookForNotices(): void {
    this.#isNoticed = true;
    this.#start();
  }

  /** Ends what is at work. */
  end(reason: Error): void {
    this.#isAnswered = false;
    this.#work?.cancelling.abort(reason);
  }

  /** Ends everything. Resolves when nothing is at work any more. */
  async close(reason: Error): Promise<void> {
    this.#watching.abort();
    this.end(reason);
    await this.#watch;
    await this.#work?.done;
  }

  async #follow(): Promise<void> {
    const { store, key, desk } = this.#parts;
    const { signal } = this.#watching;
    for await (const _ of store.watch(key, { of: "posts", signal })) {
      const posted = await store.inbox(key);
      if (posted.some(isNotice)) this.lookForNotices();
      const answers = posted.filter((message) => isAnswer(message) && !this.#known.has(message.id));
      for (const { id } of answers) this.#known.add(id);
      if (answers.length === 0) continue;
      desk.answeredElsewhere();
      this.answered();
    }
  }

  #start(): void {
    if (this.#work || this.#parts.isPrompted() || this.#watching.signal.aborted) return;
    const cancelling = new AbortController();
    this.#work = { cancelling, done: this.#run(cancelling.signal) };
  }

  async #run(signal: AbortSignal): Promise<void> {
    while ((this.#isAnswered || this.#isNoticed) && !signal.aborted && !this.#parts.isPrompted()) {
      try {
        await (this.#isAnswered ? this.#goOn(signal) : this.#takeNotices(signal));
      } catch (error) {
        if (!signal.aborted) this.#parts.onError(error);
      }
    }
    // The turn of a prompt that has come meanwhile reads the answers.
    this.#isAnswered = false;
    this.#work = undefined;
  }

  async #goOn(signal: AbortSignal): Promise<void> {
    this.#isAnswered = false;
    await this.#parts.onOver(await this.#take(goOn, signal));
  }

  /** Begins a turn with the notices that wait, unless the last turn is open: the person decides whether that goes on. */
  async #takeNotices(signal: AbortSignal): Promise<void> {
    this.#isNoticed = false;
    const { store, key, desk, onOver } = this.#parts;
    const posted = await store.inbox(key);
    if (!posted.some(isNotice) || !isOver(await store.load(key)) || signal.aborted) return;
    const { mark } = desk;
    const result = await this.#take(takeNotices, signal);
    if (result.error?.code !== "busy") return onOver(result);
    // It has begun no turn, and so has read no answer.
    this.#isAnswered ||= desk.mark !== mark;
    await wait(busyPause, signal);
    this.#isNoticed = true;
  }

  async #take(turn: typeof goOn, signal: AbortSignal): Promise<RunResult> {
    const { key, desk } = this.#parts;
    const agent = await this.#parts.agent();
    this.#isTaking = true;
    try {
      return await turn({ agent, key, desk, signal });
    } finally {
      this.#isTaking = false;
    }
  }
}

function isNotice({ message }: StoredMessage): boolean {
  return message.kind === "notice" && beginsTurn(message);
}

function isAnswer({ message: { kind } }: StoredMessage): boolean {
  return kind === "approve" || kind === "deny" || kind === "answer";
}

/** Whether the last turn has come to its end. */
function isOver(log: readonly LogEvent[]): boolean {
  return log.findLast((event) => event.type !== "record" || event.kind === "run")?.type === "record";
}
