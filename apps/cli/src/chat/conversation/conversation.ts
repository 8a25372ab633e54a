import { setTimeout } from "node:timers/promises";
import { type AfterStep, isRunError, type Run, type RunResult } from "@cogency/agent";
import type { Attachment, RunEvent } from "@cogency/protocol";
import { type AttachedFile, attachedFile, mentionedFiles } from "../../commands/run/attached-files.ts";
import { checkTaken, contentOf, privateIn, sourceOf } from "../../commands/run/read-prompt.ts";
import { messageOf } from "../../errors/message-of.ts";
import { redacted } from "../../errors/redacted.ts";
import type { chooseModel } from "../../setup/choose-model.ts";
import { counted, oneLine } from "../../terminal/text.ts";
import { slashCommand } from "../commands/slash-commands.ts";
import type { ConversationView } from "./conversation-view.ts";
import { Outputs } from "./outputs.ts";
import { type OwnCommand, runOwnCommand } from "./own-command.ts";
import { isPrompt, type OpenEnd, pastEvents, pastOf } from "./past.ts";
import type { Person } from "./person.ts";
import { Session, type SessionChoice } from "./session.ts";
import { UsageMeter } from "./usage-meter.ts";

export interface ConversationOptions {
  choice: SessionChoice;
  /** Its name; a new one begins with the first prompt. */
  conversation: string;
  person: Person;
  view: ConversationView;
  /** Makes the model that the choice names. */
  choose?: typeof chooseModel;
}

/** What a view shows beside the events. */
export interface ConversationState {
  /** The agent works since then, by the clock of `performance.now()`. */
  readonly turn: { readonly startedAt: number; readonly isCancelled: boolean } | undefined;
  /** The prompt that is on its way into the log. */
  readonly sending: string | undefined;
  /** Read by the model before its next request. */
  readonly steers: readonly string[];
  /** Said after the answer. */
  readonly queue: readonly string[];
  /** The command that the person runs. */
  readonly own: OwnCommand | undefined;
  /** `anthropic claude-5`; empty until it is known. */
  readonly model: string;
  readonly mode: Mode;
  /** Tokens that the model's context takes; undefined if that is not known. */
  readonly window: number | undefined;
}

/** Whether calls that need permission ask, run, or are denied; `read-only`: the model has no tool that writes or runs something. */
export type Mode = "ask" | "yes" | "deny" | "read-only";

interface Turn {
  readonly cancel: AbortController;
  readonly startedAt: number;
}

/** What goes into the log, and what the person typed of it. */
interface Sending {
  readonly typed: string;
  /** The text in the log, once it is known. */
  text: string | undefined;
}

/**
 * Milliseconds for which a turn waits while another process is at work on the conversation: the page of `cogency open` is, for a moment,
 * after each message that was posted.
 */
const busyPatience = 2000;
const busyPause = 100;

/** Turns that are shown of a conversation that goes on. */
const shownTurns = 2;

/**
 * A conversation of a person with the agent: takes what is typed, works in turns, and tells a view what happens. It knows no terminal
 * and no keys.
 *
 * INVARIANT: what was typed goes into the log, or back to the view, or is shown as not sent; it is never lost.
 */
export class Conversation {
  readonly session: Session;
  readonly view: ConversationView;
  readonly outputs = new Outputs();
  usage = new UsageMeter();
  /** Whether the next request shows a summary of what was before. */
  isSummingUp = false;
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  readonly #left = Promise.withResolvers<void>();
  #turn: Turn | undefined;
  #sending: Sending | undefined;
  #steers: string[] = [];
  #queue: string[] = [];
  #attached: AttachedFile[] = [];
  /** What the person's own commands printed since the last prompt. */
  #context: string[] = [];
  #own: OwnCommand | undefined;
  #ownWork: Promise<void> = Promise.resolve();
  #model = "";
  #working: Promise<void> = Promise.resolve();

  constructor({ choice, conversation, person, view, choose }: ConversationOptions) {
    this.view = view;
    this.left = this.#left.promise;
    const steering = { name: "steer", afterStep: ({ outcome }: AfterStep) => this.#steer(outcome) };
    this.session = new Session(choice, conversation, person, { name: "chat", hooks: [steering] }, choose);
  }

  get state(): ConversationState {
    const { yes, deny, readOnly, contextWindow } = this.session.choice;
    const turn = this.#turn;
    return {
      turn: turn && { startedAt: turn.startedAt, isCancelled: turn.cancel.signal.aborted },
      sending: this.#sending?.typed,
      steers: this.#steers,
      queue: this.#queue,
      own: this.#own,
      model: this.#model,
      mode: readOnly ? "read-only" : yes ? "yes" : deny ? "deny" : "ask",
      window: contextWindow,
    };
  }

  /** Opens the store and the model, and shows the last turns of a conversation that goes on. What fails is shown. */
  async load(): Promise<void> {
    await this.#attempt(() => this.#readLog());
    await this.#attempt(async () => void (await this.modelText()));
  }

  /** Takes what was typed: a slash command, a command line after `!`, a prompt, or while the agent works a steer. */
  submit(typed: string): void {
    const text = typed.trim();
    const [, name, argument = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text) ?? [];
    if (text === "") return;
    if (name !== undefined) void this.command(name, argument.trim());
    else if (text.startsWith("!")) this.#runOwn(text);
    else if (this.#turn) this.#steers.push(text);
    else this.#begin(text);
    this.view.changed();
  }

  /** Takes a prompt that is said after the answer. */
  later(typed: string): void {
    const text = typed.trim();
    if (text === "") return;
    if (this.#turn) this.#queue.push(text);
    else this.submit(text);
    this.view.changed();
  }

  /** Takes back what was not sent yet; undefined if there is nothing. */
  takeBack(): string | undefined {
    const unsent = [...this.#steers.splice(0), ...this.#queue.splice(0)];
    this.view.changed();
    return unsent.length > 0 ? unsent.join("\n") : undefined;
  }

  /** Cancels what goes on: a command of the person, else the turn. Returns whether there was something. */
  cancel(by: string): boolean {
    if (this.#own) {
      this.#own.stop();
      return true;
    }
    if (!this.#turn || this.#turn.cancel.signal.aborted) return false;
    this.#turn.cancel.abort(new DOMException(by, "AbortError"));
    this.view.changed();
    return true;
  }

  /** Goes on where the last turn broke off. */
  goOn(): void {
    if (!this.#turn) this.#begin(undefined);
  }

  /** The person leaves. */
  leave(): void {
    this.#left.resolve();
  }

  /** Cancels what goes on, and closes the store. What was typed and not sent goes back to the view. */
  async close(): Promise<void> {
    this.#own?.stop();
    this.#turn?.cancel.abort(new DOMException("the person left.", "AbortError"));
    await this.#working;
    this.#giveBackUnsent();
    await this.session.close();
  }

  /** Runs a slash command. What fails is shown. */
  command(name: string, argument = ""): Promise<void> {
    return this.#attempt(async () => {
      const command = slashCommand(name);
      if (this.#turn && !command.anytime)
        return this.view.remark(`/${name} can be used when the turn has ended. Esc cancels it.`, "warning");
      await command.run(this, argument);
    });
  }

  /** The name of the model, for remarks. */
  async modelText(): Promise<string> {
    const { model } = await this.session.open();
    this.#model = oneLine(`${model.provider.name} ${model.provider.model}`, 60);
    this.view.changed();
    return this.#model;
  }

  /** Goes on with another conversation. */
  async goTo(conversation: string): Promise<void> {
    this.session.conversation = conversation;
    await this.#readLog();
  }

  /** Attaches a file to the next prompt. @throws UsageError */
  async attach(path: string): Promise<void> {
    this.#attached.push(await attachedFile(path));
    this.view.remark(`${path} goes with the next prompt.`);
  }

  async #readLog(): Promise<void> {
    const store = await this.session.store();
    const { conversation } = this.session;
    const log = await store.load({ conversation });
    this.usage = UsageMeter.of(log);
    this.view.changed();
    if (log.length === 0) return;
    const { earlier, events, open } = pastOf(log, shownTurns);
    const before = earlier > 0 ? ` ${counted(earlier, "turn")} before these ${earlier === 1 ? "is" : "are"} kept.` : "";
    this.view.remark(`Going on with ${conversation}.${before}`);
    let shown: typeof events = events;
    while (shown.length > 0) {
      const [first, ...rest] = shown;
      if (first && isPrompt(first)) this.view.said(first.content, first.attachments ?? []);
      const next = rest.findIndex(isPrompt);
      const answer = next < 0 ? rest : rest.slice(0, next);
      for (const event of pastEvents(answer, conversation)) this.#tell(event);
      shown = next < 0 ? [] : rest.slice(next);
    }
    if (open) this.view.remark(openText(open), "warning");
  }

  /** Works until a prompt is answered, and what was typed meanwhile is answered, too. */
  #begin(prompt: string | undefined): void {
    this.#working = this.#turns(prompt);
  }

  async #turns(first: string | undefined): Promise<void> {
    let isAnswered = false;
    await this.#attempt(async () => {
      isAnswered = await this.#takeTurn(first);
      while (isAnswered) {
        const next = this.#next();
        if (next === undefined) break;
        // A turn that throws has not answered.
        isAnswered = false;
        isAnswered = await this.#takeTurn(next);
      }
    });
    // After a cancel or a failure the person decides what is said next.
    if (!isAnswered) this.#giveBackUnsent();
    this.view.changed();
  }

  /** What is said next: steers that came too late for the turn, then what was queued. */
  #next(): string | undefined {
    const late = this.#steers.splice(0);
    return late.length > 0 ? late.join("\n\n") : this.#queue.shift();
  }

  #giveBackUnsent(): void {
    const unsent = this.takeBack();
    if (unsent !== undefined) this.view.giveBack(unsent);
  }

  /** Returns whether the agent has answered. */
  async #takeTurn(prompt: string | undefined): Promise<boolean> {
    const turn: Turn = { cancel: new AbortController(), startedAt: performance.now() };
    const { signal } = turn.cancel;
    this.#turn = turn;
    this.#sending = prompt === undefined ? undefined : { typed: prompt, text: undefined };
    this.view.changed();
    try {
      const begin = () => (this.#sending ? this.#send(this.#sending, signal) : this.session.run(undefined, signal));
      const isAnswered = await this.#follow(begin, signal);
      if (this.isSummingUp) await this.session.sumUp(undefined);
      this.isSummingUp = false;
      return isAnswered;
    } finally {
      // It is not in the log.
      if (this.#sending) this.view.giveBack(this.#sending.typed);
      this.#sending = undefined;
      this.#turn = undefined;
      this.view.turnEnded(performance.now() - turn.startedAt);
      this.view.changed();
    }
  }

  async #send(sending: Sending, signal: AbortSignal): Promise<Run<RunEvent>> {
    const { model, root } = await this.session.open();
    const files = [...this.#attached, ...(await mentionedFiles(sending.typed))];
    const text = [sending.typed, ...this.#context].join("\n\n");
    const prompt = { text, isPiped: false, files };
    checkTaken(prompt, model.provider);
    const untrusted = sourceOf(prompt, root) ?? (this.#context.length > 0 ? "the output of a command" : undefined);
    const content = contentOf(prompt);
    sending.text = content.text;
    return this.session.run(content, signal, untrusted, privateIn(prompt));
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
    if (event.type === "metric") this.usage.add(event.step);
    if (event.type === "user" && isPrompt(event)) this.#heard(event.content, event.attachments ?? []);
    else this.#tell(event);
    if (event.type === "message_received" && event.refused !== undefined) this.view.remark(event.refused, "warning");
  }

  #tell(event: RunEvent): void {
    this.outputs.event(event);
    this.view.event(event);
  }

  /** Words are in the log: those that were typed here, or those of somebody elsewhere. */
  #heard(content: string, attachments: readonly Attachment[]): void {
    const isOurs = this.#sending?.text === content;
    this.view.said(isOurs && this.#sending ? this.#sending.typed : content, attachments);
    if (!isOurs) return;
    this.#sending = undefined;
    this.#attached = [];
    this.#context = [];
  }

  #tellEnd({ status, stop, error, unknown = [] }: RunResult): void {
    if (error) this.#fail(error, "/continue tries again.");
    else if (status === "stopped" && stop?.reason === "user_requested")
      this.view.remark("Cancelled. What was said so far is kept.");
    else if (stop) this.view.remark(redacted(stop.message), "warning");
    if (unknown.length > 0)
      this.view.remark(
        `${counted(unknown.length, "call")} may have taken effect, which cannot be known: ${unknown.map(({ name }) => oneLine(name, 64)).join(", ")}`,
        "warning",
      );
  }

  /** Sends what was typed during a step, before the next request. After the last step it becomes a turn of its own. */
  async #steer(outcome: "answered" | "acted" | "unusable"): Promise<undefined> {
    if (outcome === "answered" || this.#steers.length === 0) return;
    const { conversation } = this.session;
    const { agent } = await this.session.open();
    for (let content = this.#steers[0]; content !== undefined; content = this.#steers[0]) {
      await agent.send({ conversation }, { kind: "steer", content });
      this.#steers.shift();
    }
    this.view.changed();
  }

  #runOwn(typed: string): void {
    const isPrivate = typed.startsWith("!!");
    const line = typed.slice(isPrivate ? 2 : 1).trim();
    if (line === "") return;
    this.#ownWork = this.#ownWork.then(() => this.#attempt(() => this.#followOwn(line, isPrivate)));
  }

  async #followOwn(line: string, isPrivate: boolean): Promise<void> {
    const own = runOwnCommand(line, this.session.choice.root, () => this.view.changed());
    this.#own = own;
    this.view.changed();
    const ended = await own.ended;
    const { output } = own;
    this.#own = undefined;
    this.view.remark(`${isPrivate ? "!!" : "!"} ${line}`);
    if (output !== "") this.view.text(output);
    if (ended !== "exit code 0") this.view.remark(ended, "warning");
    if (!isPrivate) this.#context.push(`I ran \`${line}\` (${ended}):\n\n<output>\n${output}\n</output>`);
    this.view.changed();
  }

  /** What fails is shown, and the conversation goes on. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown, advice?: string): void {
    const message = redacted(error instanceof Error ? messageOf(error) : String(error));
    this.view.remark(advice === undefined ? message : `${message}\n${advice}`, "error");
  }
}

/** What a person can do about a run that can go on. */
function openText(open: OpenEnd): string {
  switch (open.why) {
    case "questions": {
      const which = open.count === 1 ? "One question waits" : `${open.count} questions wait`;
      return `${which} for your answer. /continue asks.`;
    }
    case "cancelled":
      return "The last turn was cancelled. /continue goes on with it; so does a new prompt, in another way.";
    case "broken_off":
      return "The last turn broke off. /continue goes on with it.";
  }
}
