import { resolve } from "node:path";
import { styleText } from "node:util";
import { isKeyRelease, matchesKey } from "@earendil-works/pi-tui";
import { fitted, oneLine, visible, wordWrapped } from "../base/terminal/text.ts";
import { isLoneAnswer, lateAnswerText } from "../person/approval/late-answers.ts";
import { openPlanText } from "../person/plan/plan-texts.ts";
import { promptFile } from "../place/store/store-path.ts";
import type { Frame } from "../screen/paint.ts";
import { reflowOf } from "../screen/reflow.ts";
import { Screen } from "../screen/screen.ts";
import type { ChatParts } from "./chat-parts.ts";
import { ChoiceList } from "./choice/choice-list.ts";
import { clipboardBytes } from "./clipboard/clipboard-bytes.ts";
import { TerminalClipboard } from "./clipboard/terminal-clipboard.ts";
import type { SessionChoice } from "./conversation/chat-session.ts";
import type { Choice } from "./conversation/conversation-view.ts";
import { editElsewhere } from "./edit-elsewhere.ts";
import { foot } from "./foot.ts";
import { Input } from "./input/input.ts";
import { pastedPicture } from "./input/pasted-picture.ts";
import { foundPrompt, PromptHistory, type PromptSearch } from "./input/prompt-history.ts";
import type { Paper } from "./paper.ts";
import { PlaceText } from "./place-text.ts";
import { statusLine } from "./status-line.ts";
import { TerminalHold } from "./terminal-hold.ts";

export interface ChatOptions {
  choice: SessionChoice;
  /** Finds the conversation, or makes a name. What it throws ends the chat. */
  conversation: () => Promise<string>;
  /** How the terminal tells that a question stands, or a long turn has ended; undefined: not at all. */
  notify: "osc9" | "bell" | undefined;
}

/** A conversation that can be gone on with when the chat has ended. */
export interface ResumedLater {
  readonly name: string;
  readonly place: string;
  readonly choice: SessionChoice;
}

/** Milliseconds in which a second Ctrl-C leaves. */
const twice = 2000;
/** Milliseconds in which a second Esc goes back. */
const quickly = 1000;

/** A conversation at a terminal: keys, and what they do; the foot; and the terminal, which is given back as it was. */
export class Chat {
  readonly #options: ChatOptions;
  readonly #stream = process.stdout;
  readonly #hold: TerminalHold;
  readonly #screen: Screen;
  readonly #input: Input;
  readonly #prompts: PromptHistory;
  readonly #paper: Paper;
  readonly #place: PlaceText;
  readonly #left = Promise.withResolvers<void>();
  #parts: ChatParts | undefined;
  /** What was submitted before the parts were loaded. */
  #early: string[] = [];
  #search: PromptSearch | undefined;
  #choice: ChoiceList | undefined;
  readonly #clipboard: TerminalClipboard;
  /** When an Esc had nothing to do. */
  #escapedAt = Number.NEGATIVE_INFINITY;
  /** What was typed before a question took the editor. */
  #draft: string | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(options: ChatOptions) {
    const { choice } = options;
    this.#options = options;
    this.#place = new PlaceText(choice.root);
    this.#hold = new TerminalHold({
      key: (data) => this.#key(data),
      resized: () => this.#screen.resized(),
      written: (text) => this.#written(text),
      leaving: () => this.#screen.close(),
    });
    this.#screen = new Screen(this.#hold.terminal, (columns, rows) => this.#foot(columns, rows), reflowOf(process.env));
    this.#input = new Input(this.#stream, () => this.#screen.refresh());
    this.#input.onSubmit = (text) => this.#submitted(text);
    this.#clipboard = new TerminalClipboard((bytes) => this.#hold.terminal.write(bytes));
    this.#prompts = new PromptHistory(promptFile(choice.ephemeral ? ":memory:" : choice.store));
    this.#paper = {
      add: (block) => this.#screen.add(block),
      refresh: () => {
        this.#keepDraft();
        this.#tick();
        this.#screen.refresh();
      },
      stream: this.#stream,
    };
  }

  /** The conversation, if one of which anything is kept was begun. */
  get conversation(): ResumedLater | undefined {
    const session = this.#parts?.conversation.session;
    const hasEvents = (this.#parts?.conversation.usage.input ?? 0) > 0;
    return session && hasEvents && session.place !== ":memory:"
      ? { name: session.conversation, place: session.place, choice: session.choice }
      : undefined;
  }

  /**
   * Shows the chat until the person leaves, or `signal` aborts.
   *
   * @throws UsageError for a conversation that cannot be found, StoreError
   */
  async run(first: string | undefined, signal: AbortSignal): Promise<void> {
    const leave = () => this.#left.resolve();
    this.#show();
    signal.addEventListener("abort", leave, { once: true });
    process.once("SIGHUP", leave);
    process.stdin.once("end", leave);
    const head = `cogency, in ${oneLine(resolve(this.#options.choice.root), 400)}. /help shows what can be typed.`;
    this.#screen.add((columns) => wordWrapped(head, columns).map((line) => this.#dim(line)));
    this.#screen.flush();
    try {
      await Promise.race([this.#load(first), this.#left.promise]);
      await this.#left.promise;
    } finally {
      await this.#parts?.conversation.close();
      this.#keepUnsent();
      clearInterval(this.#clock);
      this.#hold.give();
      process.off("SIGHUP", leave);
      process.stdin.off("end", leave);
    }
  }

  /** Gives the terminal back, as before a crash is shown. */
  close(): void {
    this.#hold.give();
  }

  async #load(first: string | undefined): Promise<void> {
    // The first frame is on the screen before anything else is loaded.
    await new Promise((painted) => setImmediate(painted));
    const [{ chatParts }, conversation, earlier] = await Promise.all([
      import("./chat-parts.ts"),
      this.#options.conversation(),
      this.#prompts.load(),
    ]);
    for (const prompt of earlier) this.#input.remember(prompt);
    const parts = chatParts({
      choice: this.#options.choice,
      conversation,
      paper: this.#paper,
      size: () => this.#hold.terminal,
      giveBack: (text) => this.#giveBack(text),
      type: (key) => this.#input.key(key),
      notify: (text) => this.#notify(text),
      hands: {
        copy: (text) => this.#copy(text),
        choose: (choice) => this.#choose(choice),
        insert: (text) => this.#insert(text),
        terminalClipboard: () => this.#clipboard.ask(),
      },
    });
    this.#parts = parts;
    this.#input.complete(parts.completions);
    void parts.conversation.left.then(() => this.#left.resolve());
    await parts.conversation.load();
    const said = first === undefined ? this.#early : [first, ...this.#early];
    this.#early = [];
    for (const text of said) parts.conversation.submit(text);
  }

  #key(data: string): void {
    if (isKeyRelease(data) || this.#clipboard.take(data)) return;
    const questions = this.#parts?.questions;
    const isInterrupt = matchesKey(data, "ctrl+c");
    // A Ctrl-C after another key cancels; only two in a row leave.
    if (!isInterrupt) this.#interruptedAt = Number.NEGATIVE_INFINITY;
    if (!matchesKey(data, "escape")) this.#escapedAt = Number.NEGATIVE_INFINITY;
    if (this.#choice) this.#choice.key(data);
    else if (isInterrupt) this.#interrupt();
    else if (matchesKey(data, "ctrl+z")) this.#hold.suspend(() => this.#show());
    else if (this.#search) this.#searchKey(data, this.#search);
    else if (matchesKey(data, "shift+tab") && !this.#input.isCompleting) void this.#parts?.conversation.nextMode();
    else if (matchesKey(data, "alt+t")) void this.#parts?.conversation.command("think", "next");
    else if (questions?.isOpen && matchesKey(data, "escape") && !this.#input.isCompleting) this.#noAnswer(questions);
    else if (questions?.isOpen && !questions.takesText) this.#questionKey(data, questions);
    else if (matchesKey(data, "ctrl+d") && this.#input.text === "") this.#left.resolve();
    else if (matchesKey(data, "escape") && !this.#input.isCompleting) this.#escape();
    else if (data === "\u001b\u001b" && this.#canGoBack) void this.#parts?.conversation.command("back");
    else if (matchesKey(data, "ctrl+v")) void this.#parts?.conversation.command("paste");
    else if (matchesKey(data, "ctrl+r")) this.#search = { words: "", skip: 0 };
    else if (matchesKey(data, "ctrl+g")) void this.#edit();
    else if (matchesKey(data, "ctrl+o")) void this.#parts?.conversation.command("show");
    else if (matchesKey(data, "ctrl+t")) void this.#parts?.conversation.command("plan");
    else if (matchesKey(data, "alt+enter") && this.#parts?.conversation.state.turn) this.#later();
    else this.#input.key(withMention(data));
    this.#screen.refresh();
  }

  /** A key that does not answer belongs to what is being typed. Enter sends that, unless it looks like an answer. */
  #questionKey(data: string, questions: ChatParts["questions"]): void {
    if (questions.key(data, this.#input)) return;
    const { text } = this.#input;
    const isSending = matchesKey(data, "enter");
    if (isSending && (text === "" || isLoneAnswer(text))) return;
    this.#input.key(data);
    if (isSending) questions.sent();
  }

  /** Esc sets aside what is being typed, so that the keys answer; else it answers no. */
  #noAnswer(questions: ChatParts["questions"]): void {
    if (!questions.escape(this.#input)) return;
    // A lone answer was typed too soon, and is no text to keep.
    const kept = isLoneAnswer(this.#input.text) ? "" : this.#input.text;
    this.#draft = joined(this.#draft ?? "", kept);
    this.#input.text = "";
  }

  #interrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < twice;
    this.#interruptedAt = now;
    this.#search = undefined;
    if (isSecond) this.#left.resolve();
    else if (this.#parts?.conversation.cancel("Ctrl-C.")) return;
    else if (this.#input.text !== "") {
      this.#remember(this.#input.text);
      this.#input.text = "";
    } else this.#screen.add(() => [this.#dim("Ctrl-C again leaves.")]);
  }

  /** Takes back what was not sent, else cancels the turn; twice, where there is neither, goes back to an earlier prompt. */
  #escape(): void {
    const canGoBack = this.#canGoBack;
    const unsent = this.#parts?.conversation.takeBack();
    if (unsent !== undefined) this.#giveBack(unsent);
    else if (canGoBack && performance.now() - this.#escapedAt < quickly) void this.#parts?.conversation.command("back");
    else if (canGoBack) {
      this.#escapedAt = performance.now();
      // Until then the foot says what a second Esc does.
      setTimeout(() => this.#screen.refresh(), quickly).unref();
    } else this.#parts?.conversation.cancel("Esc.");
  }

  get #canGoBack(): boolean {
    const { turn, own } = this.#parts?.conversation.state ?? {};
    return !turn && !own && this.#input.text === "";
  }

  #choose(choice: Choice): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#choice = new ChoiceList(choice, (chosen) => {
      this.#choice = undefined;
      this.#escapedAt = Number.NEGATIVE_INFINITY;
      resolve(chosen);
    });
    this.#screen.refresh();
    return promise;
  }

  /** Types a text as the terminal pastes one. */
  #insert(text: string): boolean {
    this.#input.key(withMention(`\u001b[200~${text}\u001b[201~`));
    this.#screen.refresh();
    return true;
  }

  #later(): void {
    const { text } = this.#input;
    this.#input.text = "";
    this.#remember(text);
    this.#parts?.conversation.later(text);
  }

  #submitted(text: string): void {
    const questions = this.#parts?.questions;
    if (questions?.takesText) {
      if (!questions.submit(text)) this.#input.text = text;
    } else if (questions?.isLate(text)) {
      this.#screen.add((columns) => wordWrapped(lateAnswerText(text), columns).map((line) => this.#dim(line)));
    } else if (text.trim() !== "") {
      this.#remember(text.trim());
      if (this.#parts) this.#parts.conversation.submit(text);
      else this.#early.push(text);
    }
  }

  #remember(text: string): void {
    if (text.trim() === "") return;
    this.#input.remember(text);
    void this.#prompts.add(text);
  }

  /** Puts a text that was not sent before what is typed. */
  #giveBack(text: string): void {
    if (this.#draft === undefined) this.#input.text = joined(text, this.#input.text);
    else this.#draft = joined(text, this.#draft);
    this.#screen.refresh();
  }

  /** A question that takes text has the editor for itself. When a question is settled, what was set aside comes back. */
  #keepDraft(): void {
    const { isOpen, takesText } = this.#parts?.questions ?? {};
    if (takesText && this.#draft === undefined) {
      this.#draft = this.#input.text;
      this.#input.text = "";
    } else if (!isOpen && this.#draft !== undefined) {
      this.#input.text = joined(this.#draft, this.#input.text);
      this.#draft = undefined;
    }
  }

  /** Shows what was typed and not sent, and keeps it among the earlier prompts. */
  #keepUnsent(): void {
    const text = joined(...this.#early, this.#draft ?? "", this.#input.text).trim();
    if (text === "") return;
    void this.#prompts.add(text);
    this.#screen.add((columns) =>
      ["Not sent; the key Up brings it back in the next chat:", ...visible(text).split("\n")]
        .flatMap((line) => wordWrapped(line, columns))
        .map((line) => this.#dim(line)),
    );
  }

  #searchKey(data: string, search: PromptSearch): void {
    if (matchesKey(data, "escape")) this.#search = undefined;
    else if (matchesKey(data, "enter")) {
      this.#input.text = foundPrompt(search, this.#input.earlier) ?? this.#input.text;
      this.#search = undefined;
    } else if (matchesKey(data, "ctrl+r")) this.#search = { ...search, skip: search.skip + 1 };
    else if (matchesKey(data, "backspace")) this.#search = { words: search.words.slice(0, -1), skip: 0 };
    else if (/^[^\p{Cc}]+$/u.test(data)) this.#search = { words: search.words + data, skip: 0 };
  }

  async #edit(): Promise<void> {
    const command = process.env.VISUAL || process.env.EDITOR;
    if (!command) {
      this.#screen.add(() => [this.#dim("Set $EDITOR to write prompts in it.")]);
      return;
    }
    await this.#hold.lend(
      async () => {
        const text = await editElsewhere(this.#input.text, command);
        if (text !== undefined) this.#input.text = text;
      },
      () => this.#show(),
    );
  }

  #notify(text: string): void {
    const { notify } = this.#options;
    if (notify !== undefined) this.#hold.terminal.write(notify === "bell" ? "\u0007" : `\u001b]9;${text}\u0007`);
  }

  #copy(text: string): boolean {
    const bytes = clipboardBytes(text);
    if (bytes !== undefined) this.#hold.terminal.write(bytes);
    return bytes !== undefined;
  }

  #written(text: string): void {
    if (text.trim() === "") return;
    if (this.#parts) this.#parts.written(text);
    else this.#screen.add((columns) => [this.#dim(oneLine(text, columns))]);
  }

  /** Takes the terminal. */
  #show(): void {
    this.#hold.take();
    this.#screen.open();
  }

  /** Seconds are counted on the screen while something goes on. */
  #tick(): void {
    const { turn, own } = this.#parts?.conversation.state ?? {};
    if (turn || own) this.#clock ??= setInterval(() => this.#screen.refresh(), 1000);
    else {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  #foot(columns: number, rows: number): Frame {
    const { conversation, questions, turns } = this.#parts ?? {};
    const asked = questions?.rows(columns, this.#input.text) ?? [];
    const question = this.#choice?.rows(columns, rows - 3, this.#stream) ?? asked;
    if (question.length > 0 && this.#draft)
      question.push(this.#dim(oneLine(`Set aside until you have answered: ${this.#draft}`, columns)));
    const answersKeys = question.length > 0 && !questions?.takesText;
    const now = performance.now();
    const unloaded = { sending: undefined, steers: this.#early, queue: [], own: undefined };
    const parts = {
      live: question.length > 0 ? [] : (turns?.rows(columns) ?? []),
      state: conversation?.state ?? unloaded,
      question,
      input: this.#choice || (answersKeys && this.#input.text === "") ? undefined : this.#input.frame(columns),
      search: this.#search
        ? fitted(searchText(this.#search, this.#input.earlier), columns)
        : now - this.#escapedAt < quickly && this.#canGoBack
          ? this.#dim("Esc again: go back to an earlier prompt")
          : undefined,
      plan: openPlanText(conversation?.state.plan),
      status: conversation
        ? statusLine(
            { ...conversation.state, isAsking: question.length > 0, place: this.#place.text(now) },
            conversation.usage,
            columns,
            now,
          )
        : "starting",
    };
    return foot(parts, columns, rows, this.#stream);
  }

  #dim(text: string): string {
    return styleText("dim", text, { stream: this.#stream });
  }
}

function joined(...texts: string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

function searchText(search: PromptSearch, earlier: readonly string[]): string {
  const found = foundPrompt(search, earlier);
  const result = found === undefined ? "nothing found" : `${found}  (Enter takes it, Ctrl-R looks further)`;
  return oneLine(`search "${search.words}": ${result}`, 400);
}

/** The path of a picture that was pasted becomes a mention, which attaches it. */
function withMention(data: string): string {
  const [, pasted] = paste.exec(data) ?? [];
  const mention = pasted === undefined ? undefined : pastedPicture(pasted);
  return mention === undefined ? data : `\u001b[200~${mention} \u001b[201~`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals mark pastes with these.
const paste = /^\x1b\[200~(.*)\x1b\[201~$/s;
