import { type ContentBlock, type PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import type { RunResult } from "@cogency/agent";
import { isLeaseHeldError, type Key, type Store } from "@cogency/storage";
import type { AcpOpening, AcpSession } from "../acp-options.ts";
import type { EditorAbilities } from "../connection/editor-abilities.ts";
import { byHost, refusal, refusalOf } from "../connection/refusal.ts";
import type { Wire } from "../connection/wire.ts";
import { type Prompt, readPrompt } from "../in/read-prompt.ts";
import { textBlock } from "../out/content-blocks.ts";
import { SessionUpdates } from "../out/session-updates.ts";
import { QuestionDesk } from "../questions/question-desk.ts";
import { Background } from "./background.ts";
import { Follower } from "./follower.ts";
import { SessionChoices } from "./session-choices.ts";
import { SessionNotices } from "./session-notices.ts";
import { endingOf, failure, stopReason } from "./stop-reason.ts";
import { takeTurn } from "./take-turn.ts";

export interface SessionParts {
  opening: Pick<AcpOpening, "session" | "cwd" | "additionalDirectories" | "kind">;
  /** What the host has made. */
  made: AcpSession;
  store: Store;
  wire: Wire;
  can: EditorAbilities;
  explain: ((error: Error) => string | undefined) | undefined;
  onError(error: unknown): void;
}

interface Turn {
  readonly cancelling: AbortController;
  readonly done: Promise<unknown>;
}

/** A session that an editor has open. */
export class OpenSession {
  readonly choices: SessionChoices;
  readonly #parts: SessionParts;
  readonly #key: Key;
  readonly #updates: SessionUpdates;
  readonly #desk: QuestionDesk;
  readonly #notices: SessionNotices;
  readonly #background: Background;
  #follower: Follower | undefined;
  /** What answers a prompt. */
  #turn: Turn | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    const { opening, made, wire, can } = parts;
    this.#parts = parts;
    this.#key = { conversation: opening.session };
    this.#updates = new SessionUpdates({ cwd: opening.cwd, session: made, can });
    this.choices = new SessionChoices(made, wire);
    this.#notices = new SessionNotices(parts);
    this.#desk = new QuestionDesk({
      key: this.#key,
      wire,
      hasForms: can.forms,
      questions: made.questions,
      shownCall: (id) => this.#updates.shownCall(id),
      send: async (message) => (await made.agent()).send(this.#key, message, { id: this.#background.answerId() }),
      onAnswered: () => this.#background.answered(),
      onError: parts.onError,
    });
    this.#background = new Background({
      store: parts.store,
      key: this.#key,
      agent: () => made.agent(),
      desk: this.#desk,
      isPrompted: () => this.isBusy,
      onOver: (result) => this.#tellUnprompted(result),
      onError: (error) => {
        parts.onError(error);
        this.#notices.say(refusalOf(error).message);
      },
    });
  }

  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** Begins to follow the conversation. Resolves when what was there before was told, or passed over where the editor has it. */
  async begin(): Promise<void> {
    const { store, wire, onError, opening } = this.#parts;
    const before = await this.#last();
    this.#follower = new Follower({
      store,
      key: this.#key,
      updates: this.#updates,
      wire,
      before,
      isSilent: opening.kind !== "load",
      onChanges: (changes, event) => this.#desk.read(changes, event),
      onError,
    });
    await this.#follower.until(before);
    // Nothing more comes of calls that a process left which has died.
    if (before > 0 && !this.#desk.hasOpen && (await this.#isFree())) await this.#follower.end({ status: "failed" });
  }

  /** The editor knows the session: tells what it may choose, and asks what is open. */
  announce(): void {
    this.choices.announce();
    this.#notices.announce();
    this.#desk.open();
    this.#background.begin();
  }

  /** @throws RequestError */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#turn || this.#closing)
      throw refusal("invalid", "The session is at work on a prompt. Wait until it is answered, or cancel it first.");
    const cancelling = new AbortController();
    const cancel = () => {
      // It aborts, too, when the editor has gone: then the turn is interrupted.
      if (signal.reason instanceof RequestError && signal.reason.code === requestCancelled) this.cancel();
    };
    signal.addEventListener("abort", cancel, { once: true });
    const answer = this.#answer(blocks, cancelling.signal);
    this.#turn = { cancelling, done: answer.catch(() => {}) };
    try {
      return await answer;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#notices.endTurn();
      this.#turn = undefined;
      this.#background.lookForNotices();
    }
  }

  /** Ends the turn. Its prompt is answered `cancelled`. */
  cancel(): void {
    this.#end(new Error("The person has cancelled the turn."));
  }

  /**
   * Ends what is at work, and everything of the session.
   *
   * @param isLeft whether the editor has gone: then its turn is interrupted, and whoever goes on with the session goes on with it
   */
  close(isLeft: boolean): Promise<void> {
    this.#closing ??= this.#close(isLeft);
    return this.#closing;
  }

  async #close(isLeft: boolean): Promise<void> {
    const { made, onError } = this.#parts;
    const reason = isLeft
      ? new DOMException("The editor has gone.", "TimeoutError")
      : new Error("The session is closed.");
    this.#end(reason);
    if (isLeft) this.#desk.close();
    await Promise.all([this.#turn?.done, this.#background.close(reason)]);
    this.#desk.close();
    this.choices.close();
    this.#notices.close();
    await this.#follower?.close();
    await made.close().catch(onError);
  }

  #end(reason: Error): void {
    if (this.#turn) this.#desk.withdraw();
    this.#turn?.cancelling.abort(reason);
    this.#background.end(reason);
  }

  async #answer(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const { made, opening, explain } = this.#parts;
    const folders = [opening.cwd, ...opening.additionalDirectories];
    const read = readPrompt(blocks, { folders, isUntrusted: made.isUntrusted });
    this.#notices.beginTurn();
    const prompt = await this.#expanded(read);
    if (!prompt) return { stopReason: "end_turn" };
    const agent = await byHost(() => made.agent());
    const result = await this.#take(agent, prompt, signal);
    if (signal.aborted) return { stopReason: "cancelled" };
    if (result.status === "failed") throw failure(result, explain);
    return { stopReason: stopReason(result) };
  }

  /** Takes a turn, and tells everything of it. */
  async #take(
    agent: Awaited<ReturnType<AcpSession["agent"]>>,
    prompt: Prompt,
    signal: AbortSignal,
  ): Promise<RunResult> {
    this.#updates.expectWords(prompt.text);
    try {
      const result = await takeTurn({ agent, key: this.#key, desk: this.#desk, signal }, prompt);
      await this.#finish(result);
      return result;
    } catch (error) {
      throw isOfPrompt(error) ? refusal("params", error.message) : refusalOf(error);
    } finally {
      this.#updates.expectWords(undefined);
    }
  }

  /** Tells everything of a turn that is over. */
  async #finish(result: RunResult): Promise<void> {
    await this.#follower?.until(await this.#last());
    await this.#follower?.end(endingOf(result));
  }

  async #expanded(prompt: Prompt): Promise<Prompt | undefined> {
    const { commands } = this.#parts.made;
    if (!commands || !prompt.text.startsWith("/")) return prompt;
    const say = (text: string) =>
      void this.#parts.wire.update({ sessionUpdate: "agent_message_chunk", content: textBlock(text) });
    const expanded = await byHost(() => commands.expand(prompt.text, say));
    if (expanded?.type === "done") return undefined;
    return expanded ? { ...prompt, text: expanded.text } : prompt;
  }

  /** Tells everything of a turn that began without a prompt, and why it failed, which no answer says. */
  async #tellUnprompted(result: RunResult): Promise<void> {
    await this.#follower?.until(await this.#last());
    // What is open now is of the turn of a prompt that has come meanwhile.
    if (!this.#turn) await this.#follower?.end(endingOf(result));
    if (result.status === "failed") this.#notices.say(failure(result, this.#parts.explain).message);
  }

  async #last(): Promise<number> {
    return (await this.#parts.store.load(this.#key, { last: 1 })).at(-1)?.seq ?? 0;
  }

  /** Whether no run holds the conversation. */
  async #isFree(): Promise<boolean> {
    try {
      const lease = await this.#parts.store.lease(this.#key, { owner: crypto.randomUUID(), ttl: 5000 });
      await lease.release();
      return true;
    } catch (error) {
      if (isLeaseHeldError(error)) return false;
      throw error;
    }
  }
}

/** The code of the protocol for a request that its sender has taken back. */
const requestCancelled = -32800;

/** Attachments that cannot be sent are told as errors of the call. */
function isOfPrompt(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}
