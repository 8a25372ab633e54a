import { setTimeout } from "node:timers/promises";
import { isRunError, type Run, type RunResult } from "@cogency/agent";
import type { AfterStep } from "@cogency/agent/hooks";
import type { RunEvent } from "@cogency/protocol";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { untold } from "../../base/errors/untold.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { outsideNotice } from "../../person/show/outside-notice.ts";
import { callText } from "../../person/turn/call-text.ts";
import type { ChatSession } from "./chat-session.ts";
import type { ConversationView } from "./conversation-view.ts";
import type { NextPrompt } from "./next-prompt.ts";
import { isPrompt } from "./past.ts";

const goesOn = "/continue tries again.";

/** Failures that would come again: what to do stands in their message. */
const cannotGoOn: ReadonlySet<string> = new Set(["nothing_to_recover", "context_overflow", "prompt_refused"]);

interface TurnsOptions {
  session: ChatSession;
  next: NextPrompt;
  view: ConversationView;
  /** Carries out what is no prompt; undefined for a prompt. */
  carryOut(text: string): Promise<void> | undefined;
  /** Called with each event of a run that is not words of a person. */
  onEvent(event: RunEvent): void;
  onFailure(error: unknown, advice?: string): void;
  /** Called when all that was said is answered. */
  onAnswered(): void;
}

interface Turn {
  readonly cancel: AbortController;
  readonly startedAt: number;
}

/** What goes into the log, and what the person typed of it. */
interface Sending {
  readonly typed: string;
  /** The text in the log, once it is known. */
  text: string | undefined;
  /** What the person should know about it. */
  told?: string | undefined;
}

/**
 * Milliseconds for which a turn waits while another process is at work on the conversation: the page of `cogency open` is, for a moment,
 * after each message that was posted.
 */
const busyPatience = 2000;
const busyPause = 100;

/** The turns of a conversation, one after another: each answers a prompt. What is typed meanwhile steers it, or is said after it. */
export class Turns {
  readonly #options: TurnsOptions;
  #turn: Turn | undefined;
  #sending: Sending | undefined;
  #steers: string[] = [];
  #queue: string[] = [];
  #working: Promise<void> = Promise.resolve();
  /** The problem that was shown last: a turn may end with the same one. */
  #told = "";

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** The turn that goes on. `startedAt` is by the clock of `performance.now()`. */
  get current(): { readonly startedAt: number; readonly isCancelled: boolean } | undefined {
    const turn = this.#turn;
    return turn && { startedAt: turn.startedAt, isCancelled: turn.cancel.signal.aborted };
  }

  /** The prompt that is on its way into the log. */
  get sending(): string | undefined {
    return this.#sending?.typed;
  }

  /** Read by the model before its next request. */
  get steers(): readonly string[] {
    return this.#steers;
  }

  /** Said, or carried out, after the answer. */
  get queue(): readonly string[] {
    return this.#queue;
  }

  /** Works until a prompt is answered, and what was typed meanwhile is answered, too. Without a prompt, goes on with the last turn. */
  begin(prompt: string | undefined): void {
    this.#working = this.#work(prompt);
  }

  /** Begins with what waits, if anything does and no turn goes on. */
  beginWithWaiting(): void {
    const next = this.#turn ? undefined : this.#next();
    if (next !== undefined) this.begin(next);
  }

  steer(text: string): void {
    this.#steers.push(text);
  }

  later(text: string): void {
    this.#queue.push(text);
  }

  /** Takes back what was not sent yet; undefined if there is nothing. */
  takeBack(): string | undefined {
    const unsent = [...this.#steers.splice(0), ...this.#queue.splice(0)];
    this.#options.view.changed();
    return unsent.length > 0 ? unsent.join("\n") : undefined;
  }

  /** Takes back what was not sent yet, and gives it to the view. */
  giveBackUnsent(): void {
    const unsent = this.takeBack();
    if (unsent !== undefined) this.#options.view.giveBack(unsent);
  }

  /** Cancels the turn that goes on. Returns whether there was one. */
  cancel(by: string): boolean {
    if (!this.#turn || this.#turn.cancel.signal.aborted) return false;
    this.#turn.cancel.abort(new DOMException(by, "AbortError"));
    this.#options.view.changed();
    return true;
  }

  /** Cancels what goes on. What was typed and not sent goes back to the view. */
  async close(): Promise<void> {
    this.cancel("the person left.");
    await this.#working;
    this.giveBackUnsent();
  }

  /** Sends what was typed during a step, before the next request. After the last step it becomes a turn of its own. */
  async afterStep({ outcome }: Pick<AfterStep, "outcome">): Promise<undefined> {
    if (outcome === "answered" || this.#steers.length === 0) return;
    const { session, view } = this.#options;
    const { conversation } = session;
    const { agent } = await session.open();
    for (let content = this.#steers[0]; content !== undefined; content = this.#steers[0]) {
      await agent.send({ conversation }, { kind: "steer", content });
      session.heard();
      this.#steers.shift();
    }
    view.changed();
  }

  async #work(first: string | undefined): Promise<void> {
    let isAnswered = false;
    try {
      isAnswered = await this.#takeTurn(first);
      while (isAnswered) {
        const next = this.#next();
        if (next === undefined) break;
        const work = this.#options.carryOut(next);
        if (work) {
          await work;
          // The turn that a command has begun answers the rest.
          if (this.#turn) return;
          continue;
        }
        // A turn that throws has not answered.
        isAnswered = false;
        isAnswered = await this.#takeTurn(next);
      }
    } catch (error) {
      this.#options.onFailure(error);
    }
    // After a cancel or a failure the person decides what is said next.
    if (!isAnswered) this.giveBackUnsent();
    this.#options.view.changed();
    if (isAnswered) this.#options.onAnswered();
  }

  /** What is said next: steers that came too late for the turn, then what was queued. */
  #next(): string | undefined {
    const late = this.#steers.splice(0);
    return late.length > 0 ? late.join("\n\n") : this.#queue.shift();
  }

  /** Returns whether the agent has answered. */
  async #takeTurn(prompt: string | undefined): Promise<boolean> {
    const { session, view } = this.#options;
    const turn: Turn = { cancel: new AbortController(), startedAt: performance.now() };
    const { signal } = turn.cancel;
    this.#turn = turn;
    this.#told = "";
    this.#sending = prompt === undefined ? undefined : { typed: prompt, text: undefined };
    view.changed();
    try {
      const begin = () => (this.#sending ? this.#send(this.#sending, signal) : session.run(undefined, signal));
      return await this.#follow(begin, signal);
    } finally {
      // It is not in the log.
      if (this.#sending) view.giveBack(this.#sending.typed);
      this.#sending = undefined;
      this.#turn = undefined;
      session.turnEnded();
      view.turnEnded(performance.now() - turn.startedAt);
      view.changed();
    }
  }

  async #send(sending: Sending, signal: AbortSignal): Promise<Run<RunEvent>> {
    const { session, next } = this.#options;
    const { model, root, commands, mcp } = await session.open();
    const prompt = await next.withText(sending.typed, model.provider, root, commands, mcp);
    sending.text = prompt.text;
    sending.told = prompt.told;
    return session.run(prompt, signal);
  }

  /** Returns whether the agent has answered. */
  async #follow(begin: () => Promise<Run<RunEvent>>, signal: AbortSignal): Promise<boolean> {
    for (const startedAt = performance.now(); ; await setTimeout(busyPause)) {
      const run = await begin();
      try {
        for await (const event of run) this.#event(event);
      } catch (error) {
        // `run.result` holds it, too.
        if (!isRunError(error)) throw error;
      }
      const result = await run.result;
      const mayBeFree = !signal.aborted && performance.now() - startedAt < busyPatience;
      if (result.error?.code === "busy" && mayBeFree) continue;
      this.#tellEnd(result);
      return result.status === "completed";
    }
  }

  #event(event: RunEvent): void {
    const { onEvent, view } = this.#options;
    if (event.type === "error") this.#told = event.content;
    if (event.type === "user" && isPrompt(event)) this.#heard(event);
    else onEvent(event);
    const notice = event.type === "user" ? outsideNotice(event) : undefined;
    if (notice !== undefined) view.remark(notice);
    if (event.type === "message_received" && event.refused !== undefined)
      view.remark(inPlainWords(event.refused), "warning");
  }

  /** Words are in the log: those that were typed here, or those of somebody elsewhere. */
  #heard({ content, attachments = [] }: RunEvent & { type: "user" }): void {
    const { next, view } = this.#options;
    const { typed, told } = this.#sending?.text === content ? this.#sending : {};
    view.said(typed ?? content, attachments);
    if (told !== undefined) view.remark(told);
    if (typed === undefined) return;
    this.#sending = undefined;
    next.clear();
  }

  #tellEnd({ status, stop, error, unknown = [] }: RunResult): void {
    const { onFailure, view } = this.#options;
    if (error) onFailure(untold(error, this.#told), cannotGoOn.has(error.code) ? undefined : goesOn);
    else if (status === "stopped" && stop?.reason === "user_requested")
      view.remark("Cancelled. What was said so far is kept.");
    else if (stop && stop.message !== this.#told) view.remark(redacted(inPlainWords(stop.message)), "warning");
    if (unknown.length > 0)
      view.remark(
        `${counted(unknown.length, "call")} may have taken effect, which cannot be known: ${unknown.map(({ name, args }) => `${oneLine(name, 64)} ${callText({ args }, 200)}`).join("; ")}`,
        "warning",
      );
  }
}
