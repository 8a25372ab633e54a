import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { redacted } from "../../base/errors/redacted.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { lateAnswerText } from "../../person/approval/late-answers.ts";
import { durationText } from "../../person/turn/duration-text.ts";
import type { Rows } from "../../person/turn/remark.ts";
import type { ChatOptions, ResumedLater } from "../chat.ts";
import { Conversation } from "../conversation/conversation.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { slashCommand } from "../slash/slash-commands.ts";
import { PlainChoices } from "./plain-choices.ts";
import { PlainOutput } from "./plain-output.ts";
import { PlainQuestions } from "./plain-questions.ts";
import { PlainTurns } from "./plain-turns.ts";

/** What is typed for what, as `/help` says it. */
const keys: Rows = [
  ["Enter", "send the line; while the agent works, it reads it before its next request"],
  ["\\ at the end of a line", "the next line belongs to the same text"],
  ["Ctrl-C", "cancel the turn; twice: leave"],
  ["Ctrl-D", "leave"],
  ["@path", "names a file; an image or a PDF is attached"],
  ["!command", "run it yourself, and show its output to the model with the next prompt; !! keeps it to yourself"],
];

/** Milliseconds in which a second Ctrl-C leaves. */
const twice = 2000;

/** A conversation in lines that are only added, for terminals without cursor movement, and for screen readers. */
export class PlainChat {
  readonly #options: ChatOptions;
  readonly #output = new PlainOutput(process.stdout);
  readonly #questions = new PlainQuestions(this.#output, process.stdout);
  readonly #turns = new PlainTurns(this.#output);
  readonly #choices = new PlainChoices(this.#output);
  readonly #left = Promise.withResolvers<void>();
  #conversation: Conversation | undefined;
  /** Lines that end in a backslash, until the one that does not. */
  #begun: string[] = [];
  #isWorking = false;
  /** How many texts wait that were typed while the agent works. */
  #waiting = { steers: 0, queue: 0 };
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ChatOptions) {
    this.#options = options;
  }

  /** The conversation, if one of which anything is kept was begun. */
  get conversation(): ResumedLater | undefined {
    const { session, usage } = this.#conversation ?? {};
    if (!session || session.place === ":memory:" || !usage?.input) return undefined;
    return { name: session.conversation, place: session.place, choice: session.choice };
  }

  /**
   * Talks until the person leaves, or `signal` aborts.
   *
   * @throws UsageError for a conversation that cannot be found, StoreError
   */
  async run(first: string | undefined, signal: AbortSignal): Promise<void> {
    const leave = () => this.#left.resolve();
    const { choice } = this.#options;
    const restore = [this.#takeInterrupts(), this.#takeErrors()];
    signal.addEventListener("abort", leave, { once: true });
    process.once("SIGHUP", leave);
    this.#output.say("note", `cogency, in ${resolve(choice.root)}. /help says what can be typed.`);
    // With `terminal: false` the system edits the line, and writes nothing but what is typed.
    const lines = createInterface({ input: process.stdin, terminal: false });
    try {
      const conversation = new Conversation({
        choice,
        conversation: await this.#options.conversation(),
        person: this.#questions,
        view: this.#view,
        command: slashCommand,
      });
      this.#conversation = conversation;
      void conversation.left.then(leave);
      await Promise.race([conversation.load(), this.#left.promise]);
      lines.on("line", (line) => this.#line(line, conversation));
      lines.once("close", leave);
      if (first === undefined) this.#ready();
      else conversation.submit(first);
      await this.#left.promise;
    } finally {
      this.#questions.close();
      lines.close();
      await this.#conversation?.close();
      for (const undo of restore) undo();
      process.off("SIGHUP", leave);
    }
  }

  /** Nothing of the terminal was changed. */
  close(): void {}

  get #view(): ConversationView {
    return {
      keys,
      said: (text, attachments) =>
        this.#output.say(
          "you",
          [text, ...attachments.map(({ name, mediaType }) => `(attached: ${name ?? mediaType})`)].join("\n"),
        ),
      event: (event, update) => this.#turns.event(event, this.#questions.event(event), update),
      remark: (text, kind = "note") => this.#output.say(kind, text),
      list: (rows) => {
        for (const [name, text] of rows) this.#output.say("note", oneLine(`${name}: ${text}`, 1000));
      },
      text: (text) => this.#output.say("output", text),
      diff: (lines) => this.#output.say("change", lines.join("\n")),
      choose: (choice) => this.#choices.put(choice),
      insert: () => false,
      terminalClipboard: async () => undefined,
      copy: () => false,
      giveBack: (text) => this.#output.say("warning", `Not sent, type it again to send it: ${text}`),
      changed: () => this.#changed(),
      turnEnded: (milliseconds) => this.#turnEnded(milliseconds),
      showThinking: (isShown) => {
        this.#turns.showsThinking = isShown;
      },
    };
  }

  #line(typed: string, conversation: Conversation): void {
    const isInText = this.#begun.length > 0;
    // A line of a text that was begun before the question came belongs to that text.
    if (this.#questions.isOpen && !isInText) {
      this.#questions.line(typed);
      return;
    }
    if (!isInText && this.#questions.isLate(typed)) {
      this.#output.say("note", lateAnswerText(typed));
      return;
    }
    if (!isInText && this.#choices.line(typed)) return;
    const isBegun = /(?<!\\)(\\\\)*\\$/.test(typed);
    this.#begun.push(isBegun ? typed.slice(0, -1) : typed);
    if (isBegun) return;
    conversation.submit(this.#begun.splice(0).join("\n"));
    if (this.#questions.isOpen)
      this.#output.say(
        "question",
        "That line ended the text that you had begun. The question still stands: answer it.",
      );
  }

  #turnEnded(milliseconds: number): void {
    const { usage, state } = this.#conversation ?? {};
    if (usage && usage.input > 0)
      this.#output.say(
        "usage",
        `${durationText(milliseconds / 1000)}, ${usage.text()}, ${usage.contextText(state?.window)}`,
      );
  }

  /** Says when what was typed is heard, and that the agent waits for the person once nothing of it is left to do. */
  #changed(): void {
    const { state } = this.#conversation ?? {};
    const isWorking = state?.turn !== undefined || state?.own !== undefined;
    const waiting = { steers: state?.steers.length ?? 0, queue: state?.queue.length ?? 0 };
    if (waiting.steers > this.#waiting.steers)
      this.#output.say("note", "The agent reads that before its next request. /unsend takes it back.");
    if (waiting.queue > this.#waiting.queue)
      this.#output.say("note", "That is said after the answer. /unsend takes it back.");
    this.#waiting = waiting;
    if (this.#isWorking && !isWorking) setImmediate(() => this.#ready());
    this.#isWorking = isWorking;
  }

  #ready(): void {
    const { state } = this.#conversation ?? {};
    if (state && !state.turn && !state.own) this.#output.say("ready", "Type a line.");
  }

  /** Until it is undone, Ctrl-C cancels the turn, and leaves only when it comes twice. */
  #takeInterrupts(): () => void {
    const others = process.listeners("SIGINT");
    const interrupt = () => {
      const now = performance.now();
      const isSecond = now - this.#interruptedAt < twice;
      this.#interruptedAt = now;
      this.#begun = [];
      if (isSecond) this.#left.resolve();
      else if (!this.#conversation?.cancel("Ctrl-C.")) this.#output.say("note", "Ctrl-C again leaves.");
    };
    process.removeAllListeners("SIGINT").on("SIGINT", interrupt);
    return () => {
      process.off("SIGINT", interrupt);
      for (const other of others) process.on("SIGINT", other);
    };
  }

  /** Until it is undone, what is written to stderr is said as a note. */
  #takeErrors(): () => void {
    const { stderr } = process;
    const write = stderr.write;
    stderr.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      if (text.trim() !== "") this.#output.say("note", redacted(text));
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    }) as typeof write;
    return () => {
      stderr.write = write;
    };
  }
}
