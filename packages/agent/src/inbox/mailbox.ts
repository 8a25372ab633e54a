import type { Key, Store, StoredMessage } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import type { KeyRing } from "@cogency/tools";
import { checkedClientTools, type RemoteAnswer, type RemoteAnswers } from "@cogency/tools/host";
import { askAgain } from "../log/ask-again.ts";
import type { AttachmentBounds } from "../settings.ts";
import { messageFault } from "./message-fault.ts";
import { messageStatement } from "./message-statement.ts";
import type { Received } from "./received.ts";
import { type Asks, answerIn, settlements } from "./remote-answer.ts";

interface MailboxParts {
  store: Pick<Store, "inbox" | "watch">;
  key: Key;
  keyRing: KeyRing;
  attachments: AttachmentBounds;
  /** Called once, with the first message that cancels the run. */
  onCancel(cancel: Received): void;
  /** Whether a message that came at this time, by the clock of the store, meant what was before this run. */
  isFromBefore(at: number): boolean;
}

/** The messages that were read, by what they are for. */
interface Sorted {
  /** The ids of all. */
  seen: Set<string>;
  /** What the model reads in the middle of a run: steers and notices. */
  steers: Received[];
  prompts: Received[];
  /** By the question, in the order in which they came; the first one that fits it counts. */
  answers: Map<string, Received[]>;
  /** The answers that were given out, by their ids. */
  given: Map<string, Received>;
  cancel: Received | undefined;
  names: Received[];
  /** Messages without an effect, and why. */
  refused: { received: Received; why: string }[];
}

/** Somebody who waits for the answer to a question. */
interface Waiting {
  question: string;
  /** Takes the answers that have come, if one of them is of the right kind. */
  look(): void;
}

/**
 * The inbox of a conversation, as its run reads it. A message stays in the store until an append of the run takes it; this is
 * what the run knows of the messages that wait there.
 */
export class Mailbox implements RemoteAnswers {
  readonly #parts: MailboxParts;
  /** What was read; undefined until there is something, because most runs get no message. */
  #sorted: Sorted | undefined;
  readonly #waiting: Waiting[] = [];
  #changes: AsyncIterator<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: MailboxParts) {
    this.#parts = parts;
  }

  /**
   * Reads the inbox, and from then on whenever something is posted, until `close`.
   *
   * @throws what the store throws at the first read. Where it fails later, the run's next append fails, too.
   */
  async open(): Promise<void> {
    const { store, key } = this.#parts;
    this.#changes = store.watch(key, { of: "posts" })[Symbol.asyncIterator]();
    // Yields at once: what is posted from now on yields again.
    await this.#changes.next();
    this.#reading = this.#read();
    await this.#reading;
    this.#awaitChange();
  }

  /** Resolves once everything is read that was posted before. Never rejects. */
  settled(): Promise<void> {
    // A store may tell of what another process has posted only after a while.
    this.#reading = this.#reading.then(() => this.#read()).catch(() => {});
    return this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#changes?.return?.().catch(() => {});
  }

  /** Whether words wait with which a run that has answered goes on: any but notices that wake nobody. */
  get hasWords(): boolean {
    return this.#waits(({ message }) => message.kind === "steer" || beginsTurn(message));
  }

  /** Whether a next turn waits, also for a run that has ended. */
  get hasPrompt(): boolean {
    return this.#waits(({ message }) => beginsTurn(message));
  }

  #waits(isMeant: (received: Received) => boolean): boolean {
    const { prompts, steers } = this.#sorted ?? { prompts: [], steers: [] };
    return prompts.some(isMeant) || steers.some(isMeant);
  }

  /** The words of the person for the run that goes on; each is returned once. */
  takeSteers(): Received[] {
    return this.#sorted?.steers.splice(0) ?? [];
  }

  /** What the next turn begins with: the next prompt, after steers that came too late for the turn before. */
  takeTurn(): Received[] {
    const prompt = this.#sorted?.prompts.shift();
    return [...this.takeSteers(), ...(prompt ? [prompt] : [])];
  }

  takeCancel(): Received | undefined {
    const cancel = this.#sorted?.cancel;
    if (this.#sorted) this.#sorted.cancel = undefined;
    return cancel;
  }

  /** The names that persons gave the conversation and its points; each is returned once. */
  takeNames(): Received[] {
    return this.#sorted?.names.splice(0) ?? [];
  }

  /** The messages that have no effect: without a proof, or for a question that is not open. */
  takeRefused(): { received: Received; why: string }[] {
    return this.#sorted?.refused.splice(0) ?? [];
  }

  /**
   * Refuses the answers to questions that are not open, and a cancel that came too late.
   *
   * @param open the questions that the run leaves open: an answer or a cancel that came at the last moment is for the next run
   */
  refuseRest(open: readonly string[]): void {
    if (!this.#sorted) return;
    const { answers, refused } = this.#sorted;
    const isOpen = new Set(open);
    for (const [question, waiting] of answers) {
      if (isOpen.has(question)) continue;
      for (const received of waiting) refused.push({ received, why: "The question is not open." });
    }
    answers.clear();
    const cancel = open.length === 0 ? this.takeCancel() : undefined;
    if (cancel) refused.push({ received: cancel, why: "The run had ended." });
  }

  find<A extends Asks>(question: string, asks: A): RemoteAnswer<A> | undefined {
    const answers = this.#sorted?.answers.get(question) ?? [];
    for (let received = answers.shift(); received; received = answers.shift()) {
      const answer = answerIn[asks](received);
      if (answer) {
        this.#sorted?.given.set(received.id, received);
        return answer;
      }
      this.#sorted?.refused.push({ received, why: `The question is settled by ${settlements[asks]}.` });
    }
    return undefined;
  }

  has(question: string): boolean {
    return (this.#sorted?.answers.get(question)?.length ?? 0) > 0;
  }

  wait<A extends Asks>(question: string, asks: A, signal: AbortSignal): Promise<RemoteAnswer<A>> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        question,
        look: () => {
          const found = this.find(question, asks);
          if (!found) return;
          this.#leave(waiting);
          resolve(found);
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener("abort", () => this.#leave(waiting), { once: true });
      waiting.look();
    });
  }

  refuse({ message }: { message: string }, why: string): void {
    const received = this.#sorted?.given.get(message);
    if (received) this.#sorted?.refused.push({ received, why });
  }

  /** Refuses words that were taken and that hooks do not want. */
  refuseWords(received: Received, why: string): void {
    this.#sorted?.refused.push({ received, why });
  }

  #leave(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #awaitChange(): void {
    this.#changes?.next().then(
      ({ done }) => {
        if (done || this.#isClosed) return;
        this.settled().then(() => this.#awaitChange());
      },
      () => {},
    );
  }

  /**
   * Sorts all that waits in one go: a message that ends the run must not do so before those that were read with it have their
   * places. The run would end without them, and nothing would make the conversation due for them again.
   */
  async #read(): Promise<void> {
    const { store, key } = this.#parts;
    const messages = await askAgain(() => store.inbox(key));
    const news = messages.filter(({ id }) => !this.#sorted?.seen.has(id));
    if (news.length === 0) return;
    const received = await Promise.all(news.map((stored) => this.#received(stored)));
    this.#sorted ??= {
      seen: new Set(),
      steers: [],
      prompts: [],
      answers: new Map(),
      given: new Map(),
      cancel: undefined,
      names: [],
      refused: [],
    };
    for (const [index, { id, at }] of news.entries()) {
      this.#sorted.seen.add(id);
      this.#sort(this.#sorted, received[index] as Received, at);
    }
  }

  async #received({ id, message }: StoredMessage): Promise<Received> {
    const { key, keyRing } = this.#parts;
    const isProven = await keyRing.verify(messageStatement(key, id, message), message.proof).catch(() => false);
    return { id, message, isProven: isProven === true };
  }

  #sortWords({ prompts, steers, refused }: Sorted, received: Received, given: unknown): void {
    const words = received.message.kind === "prompt" ? prompts : steers;
    if (given === undefined) {
      words.push(received);
      return;
    }
    if (!received.isProven) {
      refused.push({ received, why: `${unproven.slice(0, -1)}, which words with tools need.` });
      return;
    }
    try {
      words.push({ ...received, tools: checkedClientTools(given) });
    } catch (error) {
      refused.push({ received, why: (error as Error).message });
    }
  }

  #sort(sorted: Sorted, received: Received, at: number): void {
    const { message, isProven } = received;
    const refuse = (why: string) => void sorted.refused.push({ received, why });
    const fault = messageFault(message, this.#parts.attachments);
    if (fault !== undefined) {
      refuse(fault);
      return;
    }
    switch (message.kind) {
      case "notice":
        if (!isProven) refuse(unproven);
        else sorted.steers.push(received);
        return;
      case "title":
      case "point":
        if (!isProven) refuse(unproven);
        else sorted.names.push(received);
        return;
      case "steer":
      case "prompt":
        this.#sortWords(sorted, received, message.tools);
        return;
      case "cancel":
        if (this.#parts.isFromBefore(at)) refuse("It came before this run began.");
        else if (sorted.cancel) refuse("The run is being cancelled.");
        else {
          sorted.cancel = received;
          this.#parts.onCancel(received);
        }
        return;
      case "approve":
      case "deny":
      case "answer": {
        if (!isProven) {
          refuse(unproven);
          return;
        }
        const { question } = message;
        const waiting = sorted.answers.get(question);
        if (waiting) waiting.push(received);
        else sorted.answers.set(question, [received]);
        this.#waiting.find((one) => one.question === question)?.look();
        return;
      }
      default:
        refuse("This agent does not know such messages.");
    }
  }
}

const unproven = "It has no proof that this agent can verify.";
