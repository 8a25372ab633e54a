import { resolve } from "node:path";
import { styleText } from "node:util";
import { isKeyRelease } from "@earendil-works/pi-tui";
import { fitted, oneLine, wordWrapped } from "../base/terminal/text.ts";
import { openPlanText } from "../person/plan/plan-texts.ts";
import type { Paper } from "../person/turn/paper.ts";
import { promptFile } from "../place/store/store-path.ts";
import type { Frame } from "../screen/paint.ts";
import { reflowOf } from "../screen/reflow.ts";
import { Screen } from "../screen/screen.ts";
import { ChatKeys } from "./chat-keys.ts";
import type { ChatParts } from "./chat-parts.ts";
import { clipboardBytes } from "./clipboard/clipboard-bytes.ts";
import { TerminalClipboard } from "./clipboard/terminal-clipboard.ts";
import type { SessionChoice } from "./conversation/chat-session.ts";
import { foot } from "./foot.ts";
import { PromptHistory } from "./input/prompt-history.ts";
import { PlaceText } from "./place-text.ts";
import { statusLine } from "./status-line.ts";
import { TerminalHold } from "./terminal-hold.ts";
import { Typing } from "./typing.ts";

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

/** A conversation at a terminal: what is loaded, the foot, and the terminal, which is given back as it was. */
export class Chat {
  readonly #options: ChatOptions;
  readonly #stream = process.stdout;
  readonly #hold: TerminalHold;
  readonly #screen: Screen;
  readonly #typing: Typing;
  readonly #keys: ChatKeys;
  readonly #paper: Paper;
  readonly #place: PlaceText;
  readonly #left = Promise.withResolvers<void>();
  readonly #clipboard: TerminalClipboard;
  #parts: ChatParts | undefined;
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
    const shared = { parts: () => this.#parts, refresh: () => this.#screen.refresh() };
    const prompts = new PromptHistory(promptFile(choice.ephemeral ? ":memory:" : choice.store));
    this.#typing = new Typing({ ...shared, prompts, stream: this.#stream, add: (block) => this.#screen.add(block) });
    this.#keys = new ChatKeys({
      ...shared,
      typing: this.#typing,
      say: (line) => this.#screen.add(() => [this.#dim(line)]),
      leave: () => this.#left.resolve(),
      suspend: () => this.#hold.suspend(() => this.#show()),
      edit: () => this.#edit(),
    });
    this.#clipboard = new TerminalClipboard((bytes) => this.#hold.terminal.write(bytes));
    this.#paper = {
      add: (block) => this.#screen.add(block),
      refresh: () => {
        this.#typing.keepDraft();
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
      this.#typing.keepUnsent();
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
    const [{ chatParts }, conversation] = await Promise.all([
      import("./chat-parts.ts"),
      this.#options.conversation(),
      this.#typing.load(),
    ]);
    const parts = chatParts({
      choice: this.#options.choice,
      conversation,
      paper: this.#paper,
      size: () => this.#hold.terminal,
      giveBack: (text) => this.#typing.giveBack(text),
      type: (key) => this.#typing.input.key(key),
      notify: (text) => this.#notify(text),
      hands: {
        copy: (text) => this.#copy(text),
        choose: (choice) => this.#keys.choose(choice),
        insert: (text) => this.#typing.insert(text),
        terminalClipboard: () => this.#clipboard.ask(),
      },
    });
    this.#parts = parts;
    this.#typing.input.complete(parts.completions);
    void parts.conversation.left.then(() => this.#left.resolve());
    await parts.conversation.load();
    this.#typing.sendEarly(first, parts);
  }

  #key(data: string): void {
    if (!isKeyRelease(data) && !this.#clipboard.take(data)) this.#keys.take(data);
  }

  async #edit(): Promise<void> {
    const command = process.env.VISUAL || process.env.EDITOR;
    if (!command) {
      this.#screen.add(() => [this.#dim("Set $EDITOR to write prompts in it.")]);
      return;
    }
    await this.#hold.lend(
      () => this.#typing.edit(command),
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
    const { input, draft, early, searchText } = this.#typing;
    const { choice } = this.#keys;
    const asked = questions?.rows(columns, input.text) ?? [];
    const question = choice?.rows(columns, rows - 3, this.#stream) ?? asked;
    if (question.length > 0 && draft)
      question.push(this.#dim(oneLine(`Set aside until you have answered: ${draft}`, columns)));
    const answersKeys = question.length > 0 && !questions?.takesText;
    const now = performance.now();
    const goingBack = this.#keys.isGoingBack(now) ? this.#dim("Esc again: go back to an earlier prompt") : undefined;
    const parts = {
      live: question.length > 0 ? [] : (turns?.rows(columns) ?? []),
      state: conversation?.state ?? { sending: undefined, steers: early, queue: [], own: undefined },
      question,
      input: choice || (answersKeys && input.text === "") ? undefined : input.frame(columns),
      search: searchText === undefined ? goingBack : fitted(searchText, columns),
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
