import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { styleText } from "node:util";
import { isRunError, type Run, type RunResult } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { matchesKey, ProcessTerminal } from "@earendil-works/pi-tui";
import { type AttachedFile, attachedFile, mentionedFiles } from "../commands/run/attached-files.ts";
import { checkTaken, sourceOf } from "../commands/run/read-prompt.ts";
import { messageOf } from "../errors/message-of.ts";
import { redacted } from "../errors/redacted.ts";
import type { Frame } from "../screen/paint.ts";
import { Screen } from "../screen/screen.ts";
import { counted, oneLine, padded, visible, wordWrapped } from "../terminal/text.ts";
import { completions } from "./completions.ts";
import { Input } from "./input.ts";
import { ownCommand } from "./own-command.ts";
import { PromptHistory, promptFile } from "./prompt-history.ts";
import { QuestionView } from "./question-view.ts";
import { Session, type SessionChoice } from "./session.ts";
import { slashCommand } from "./slash-commands.ts";
import { type Page, TurnView } from "./turn-view.ts";
import { UsageMeter } from "./usage-meter.ts";

export interface ChatOptions {
  choice: SessionChoice;
  conversation: string;
  /** Tells the terminal when a question stands, and when a long turn has ended. */
  notify: boolean;
}

/** Milliseconds in which a second Ctrl-C leaves. */
const twice = 2000;
/** Milliseconds of a turn, after which its end is told. */
const longTurn = 10_000;

/** A conversation at a terminal. */
export class Chat {
  readonly session: Session;
  readonly view: TurnView;
  readonly usage = new UsageMeter();
  /** Whether the next request shows a summary of what was before. */
  isSummingUp = false;
  readonly #options: ChatOptions;
  readonly #stream = process.stdout;
  readonly #terminal = new ProcessTerminal();
  readonly #screen: Screen;
  readonly #input: Input;
  readonly #questions: QuestionView;
  readonly #prompts: PromptHistory;
  readonly #ended = Promise.withResolvers<void>();
  #earlier: string[] = [];
  #search: { words: string; skip: number } | undefined;
  #turn: { cancel: AbortController; startedAt: number } | undefined;
  /** Read by the model before its next request. */
  #steers: string[] = [];
  /** Said after the turn. */
  #queue: string[] = [];
  #attached: AttachedFile[] = [];
  /** What the person's own commands printed since the last prompt. */
  #context: string[] = [];
  #model = "";
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #clock: ReturnType<typeof setInterval> | undefined;
  #restore: (() => void) | undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    const page: Page = {
      add: (block) => this.#screen.add(block),
      refresh: () => this.#screen.refresh(),
      stream: this.#stream,
    };
    // Terminals that say who they are by these do not wrap what is on the screen already.
    const reflows = process.env.XTERM_VERSION === undefined && process.env.TERM !== "linux";
    this.#screen = new Screen(this.#terminal, (columns, rows) => this.#foot(columns, rows), reflows);
    this.view = new TurnView(page);
    this.#questions = new QuestionView(page, () => this.#terminal);
    this.#input = new Input(this.#stream, () => this.#screen.refresh());
    this.#input.onSubmit = (text) => this.#submitted(text);
    this.#prompts = new PromptHistory(promptFile(options.choice.ephemeral ? ":memory:" : options.choice.store));
    this.session = new Session(options.choice, options.conversation, this.#questions, {
      name: "chat",
      hooks: [{ name: "steer", afterStep: () => this.#steer() }],
    });
  }

  /** Shows the chat until the person leaves, or `signal` aborts. */
  async run(first: string | undefined, signal: AbortSignal): Promise<void> {
    this.#show();
    signal.addEventListener("abort", () => this.quit(), { once: true });
    this.view.remark(`cogency, in ${oneLine(resolve(this.session.choice.root), 200)}. /help shows what can be typed.`);
    this.#screen.flush();
    this.#input.complete(completions(this.session.choice.root));
    void this.#load(first);
    await this.#ended.promise;
    this.#turn?.cancel.abort(new DOMException("the person left.", "AbortError"));
    await this.#working;
    this.#hide();
    await this.session.close();
  }

  #working: Promise<void> = Promise.resolve();

  async #load(first: string | undefined): Promise<void> {
    await this.#attempt(async () => {
      this.#earlier = await this.#prompts.load();
      for (const prompt of this.#earlier) this.#input.remember(prompt);
      await this.modelText();
      await this.#readLog();
    });
    if (first !== undefined) this.#say(first);
  }

  /** The name of the model, for the foot and for remarks. */
  async modelText(): Promise<string> {
    const { model } = await this.session.open();
    this.#model = oneLine(`${model.provider.name} ${model.provider.model}`, 60);
    this.#screen.refresh();
    return this.#model;
  }

  /** Reads what the conversation has used, and shows its last turn. */
  async #readLog(): Promise<void> {
    const store = await this.session.store();
    const key = { conversation: this.session.conversation };
    const records = await store.load(key, { types: ["record"] });
    Object.assign(this.usage, new UsageMeter());
    for (const event of records) if (event.type === "record" && event.kind === "usage") this.usage.add(event.data);
    const words = await store.load(key, { types: ["user", "respond"] });
    const last = words.findLastIndex((event) => event.type === "user" && event.origin === undefined);
    if (last < 0) return;
    this.view.remark(`Going on with ${oneLine(this.session.conversation, 80)}.`);
    for (const event of words.slice(last)) {
      if (event.type === "user" && event.origin === undefined) this.view.said(event.content);
      else if (event.type === "respond")
        this.view.event({ ...event, run: { id: "", conversation: key.conversation, step: 0, order: 0 } } as RunEvent);
    }
  }

  /** Goes on with another conversation. */
  async goTo(conversation: string): Promise<void> {
    this.session.conversation = conversation;
    await this.#readLog();
    this.#screen.refresh();
  }

  remark(text: string): void {
    this.view.remark(text);
  }

  /** Shows names and what they are, in two columns. */
  list(rows: readonly (readonly [name: string, text: string])[]): void {
    const width = Math.min(30, Math.max(...rows.map(([name]) => name.length)));
    this.view.lines((columns) =>
      rows.flatMap(([name, text]) => {
        const lines = wordWrapped(visible(text), Math.max(20, columns - width - 4));
        const isLong = name.length > width;
        const first = isLong ? [`  ${name}`] : [];
        return [...first, ...lines.map((line, at) => `  ${padded(at === 0 && !isLong ? name : "", width)}  ${line}`)];
      }),
    );
  }

  mode(): string {
    const { yes, deny } = this.session.choice;
    return yes ? "yes" : deny ? "deny" : "ask";
  }

  async attach(path: string): Promise<void> {
    const file = await attachedFile(path);
    this.#attached.push(file);
    this.remark(`${oneLine(path, 200)} goes with the next prompt.`);
  }

  quit(): void {
    this.#ended.resolve();
  }

  #key(data: string): void {
    if (matchesKey(data, "ctrl+c")) this.#interrupt();
    else if (matchesKey(data, "ctrl+z")) this.#suspend();
    else if (this.#questions.isOpen && !this.#questions.wantsReason) this.#questions.key(data);
    else if (this.#search) this.#searchKey(data, this.#search);
    else if (matchesKey(data, "ctrl+d") && this.#input.text === "") this.quit();
    else if (matchesKey(data, "escape") && this.#questions.wantsReason) this.#questions.refuse("");
    else if (matchesKey(data, "escape") && !this.#input.isCompleting) this.#escape();
    else if (matchesKey(data, "ctrl+r")) this.#search = { words: "", skip: 0 };
    else if (matchesKey(data, "ctrl+g")) this.#edit();
    else if (matchesKey(data, "ctrl+o")) void this.#command("show");
    else if (matchesKey(data, "alt+enter") && this.#turn) this.#later();
    else this.#input.key(data);
    this.#screen.refresh();
  }

  #interrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < twice;
    this.#interruptedAt = now;
    this.#search = undefined;
    if (this.#turn && !this.#turn.cancel.signal.aborted) {
      this.#turn.cancel.abort(new DOMException("Ctrl-C.", "AbortError"));
    } else if (this.#input.text !== "") {
      this.#input.text = "";
    } else if (isSecond) this.quit();
    else this.remark("Ctrl-C again leaves.");
  }

  /** Takes back what was not sent, else cancels the turn. */
  #escape(): void {
    const unsent = [...this.#steers, ...this.#queue];
    if (unsent.length > 0) {
      this.#steers = [];
      this.#queue = [];
      this.#input.text = [...unsent, this.#input.text].filter(Boolean).join("\n");
    } else this.#turn?.cancel.abort(new DOMException("Esc.", "AbortError"));
  }

  #later(): void {
    const text = this.#input.text.trim();
    if (text !== "") this.#queue.push(text);
    this.#input.text = "";
  }

  #submitted(typed: string): void {
    const text = typed.trim();
    if (this.#questions.wantsReason) {
      this.#questions.refuse(text);
      return;
    }
    if (text === "") return;
    this.#input.remember(text);
    this.#earlier.push(text);
    void this.#prompts.add(text);
    const [, name, argument = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text) ?? [];
    if (name !== undefined) void this.#command(name, argument.trim());
    else if (text.startsWith("!")) void this.#ownCommand(text);
    else if (this.#turn) this.#steers.push(text);
    else this.#say(text);
  }

  /** Says something to the agent, and works until it has answered, and what was queued meanwhile is answered, too. */
  #say(text: string): void {
    if (this.#turn) {
      this.#queue.push(text);
      return;
    }
    this.#working = this.#attempt(async () => {
      for (
        let next: string | undefined = text;
        next !== undefined;
        next = this.#queue.shift() ?? this.#steers.shift()
      ) {
        await this.#takeTurn(next);
      }
    });
  }

  async #takeTurn(text: string): Promise<void> {
    const cancel = new AbortController();
    const startedAt = performance.now();
    this.#turn = { cancel, startedAt };
    this.#clock ??= setInterval(() => this.#screen.refresh(), 1000);
    this.view.said(text);
    try {
      const { model, root } = await this.session.open();
      const files = [...this.#attached, ...(await mentionedFiles(text))];
      const context = this.#context;
      const prompt = { text: [text, ...context].join("\n\n"), isPiped: false, files };
      checkTaken(prompt, model.provider);
      this.#attached = [];
      this.#context = [];
      const untrusted = sourceOf(prompt, root) ?? (context.length > 0 ? "the output of a command" : undefined);
      const attachments = files.map(({ attachment }) => attachment);
      await this.#shown(await this.session.run({ text: prompt.text, attachments }, cancel.signal, untrusted));
      if (this.isSummingUp) await this.session.sumUp(undefined);
      this.isSummingUp = false;
    } finally {
      this.#turn = undefined;
      clearInterval(this.#clock);
      this.#clock = undefined;
      if (performance.now() - startedAt > longTurn) this.#notify("The agent has answered.");
      this.#screen.refresh();
    }
  }

  async #shown(run: Run<RunEvent>): Promise<void> {
    try {
      for await (const event of run) {
        if (event.type === "metric") this.usage.add(event.step);
        if (event.type === "approval_requested") this.#notify("The agent asks for permission.");
        if (event.type === "message_received" && event.refused !== undefined) this.remark(event.refused);
        this.view.event(event);
      }
    } catch (error) {
      // `run.result` holds it, too.
      if (!isRunError(error)) throw error;
    }
    this.#toldEnd(await run.result);
  }

  #toldEnd({ status, stop, error, unknown = [] }: RunResult): void {
    if (error) this.view.remark(`error: ${redacted(messageOf(error))}`, "red");
    else if (status === "stopped" && stop?.reason === "user_requested")
      this.view.remark("Cancelled. What was said so far is kept.");
    else if (stop) this.view.remark(`! ${redacted(stop.message)}`, "yellow");
    if (unknown.length > 0)
      this.view.remark(
        `! ${counted(unknown.length, "call")} may have taken effect, though nobody knows: ${unknown.map(({ name }) => oneLine(name, 64)).join(", ")}`,
        "yellow",
      );
  }

  /** Sends what was typed during the step, before the next request. */
  async #steer(): Promise<undefined> {
    const { conversation } = this.session;
    const { agent } = await this.session.open();
    for (const content of this.#steers.splice(0)) {
      await agent.send({ conversation }, { kind: "steer", content });
      this.view.said(content);
    }
  }

  async #command(name: string, argument = ""): Promise<void> {
    await this.#attempt(async () => {
      const command = slashCommand(name);
      if (this.#turn && !command.anytime)
        return this.remark(`/${name} can be used when the turn has ended. Esc cancels it.`);
      await command.run(this, argument);
    });
  }

  async #ownCommand(text: string): Promise<void> {
    const isPrivate = text.startsWith("!!");
    const line = text.slice(isPrivate ? 2 : 1).trim();
    if (line === "") return;
    await this.#attempt(async () => {
      this.view.remark(`! ${oneLine(line, 500)}`);
      const { output, ended } = await ownCommand(line, this.session.choice.root, new AbortController().signal);
      this.view.lines((columns) =>
        visible(output)
          .split("\n")
          .flatMap((row) => wordWrapped(row, columns)),
      );
      if (ended !== "exit code 0") this.view.remark(ended, "yellow");
      if (!isPrivate) this.#context.push(`I ran \`${line}\` (${ended}):\n\n<output>\n${output}\n</output>`);
    });
  }

  /** What fails is shown, and the chat goes on. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? messageOf(error) : String(error);
      this.view.remark(`error: ${redacted(message)}`, "red");
    }
  }

  #searchKey(data: string, search: { words: string; skip: number }): void {
    if (matchesKey(data, "escape")) this.#search = undefined;
    else if (matchesKey(data, "enter")) {
      this.#input.text = this.#found() ?? "";
      this.#search = undefined;
    } else if (matchesKey(data, "ctrl+r")) search.skip++;
    else if (matchesKey(data, "backspace")) this.#search = { words: search.words.slice(0, -1), skip: 0 };
    else if (/^[^\p{Cc}]+$/u.test(data)) this.#search = { words: search.words + data, skip: 0 };
  }

  #found(): string | undefined {
    if (!this.#search) return undefined;
    const { words, skip } = this.#search;
    const all = this.#earlier.filter((prompt) => prompt.toLowerCase().includes(words.toLowerCase()));
    return all.at(-1 - Math.min(skip, all.length - 1));
  }

  /** Opens the prompt in the editor of the person. */
  #edit(): void {
    const command = process.env.VISUAL || process.env.EDITOR;
    if (!command) {
      this.remark("Set $EDITOR to write prompts in it.");
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), "cogency-prompt-"));
    const file = join(folder, "prompt.md");
    this.#hide();
    try {
      writeFileSync(file, this.#input.text, { mode: 0o600 });
      const { status } = spawnSync("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
      if (status === 0) this.#input.text = readFileSync(file, "utf8").trimEnd();
    } finally {
      rmSync(folder, { recursive: true, force: true });
      this.#show();
    }
  }

  #suspend(): void {
    this.#hide();
    process.once("SIGCONT", () => this.#show());
    process.kill(process.pid, "SIGTSTP");
  }

  #notify(text: string): void {
    if (this.#options.notify) this.#terminal.write(`\u001b]9;${text}\u0007`);
  }

  /** Takes the terminal. */
  #show(): void {
    const onExit = () => this.#hide();
    process.on("exit", onExit);
    const { stderr } = process;
    const write = stderr.write;
    // What is written to stderr meanwhile would stand in the middle of the foot.
    stderr.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      this.view.remark(redacted(stripEnd(String(chunk))));
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    }) as typeof write;
    this.#restore = () => {
      process.off("exit", onExit);
      stderr.write = write;
      this.#restore = undefined;
    };
    this.#terminal.start(
      (data) => this.#key(data),
      () => this.#screen.resized(),
    );
    this.#screen.open();
  }

  /** Gives the terminal back as it was. */
  #hide(): void {
    if (!this.#restore) return;
    this.#screen.close();
    this.#terminal.stop();
    this.#restore();
  }

  #foot(columns: number, rows: number): Frame {
    const dim = (text: string) => styleText("dim", text, { stream: this.#stream });
    const question = this.#questions.rows();
    const isTyping = question.length === 0 || this.#questions.wantsReason;
    const input = isTyping ? this.#input.frame(columns) : { rows: [], cursor: { row: 0, column: 0 } };
    const unsent = [
      ...this.#steers.map((text) => dim(oneLine(`next: ${text}`, columns))),
      ...this.#queue.map((text) => dim(oneLine(`later: ${text}`, columns))),
    ];
    const search = this.#search
      ? [oneLine(`search: ${this.#search.words}  ${this.#found() ?? "nothing found"}`, columns)]
      : [];
    const below = [...search, dim(oneLine(this.#statusText(), columns))];
    const open = question.length > 0 && !this.#questions.wantsReason ? [] : this.view.rows(columns);
    const room = Math.max(0, rows - question.length - input.rows.length - unsent.length - below.length - 1);
    const above = [...open.slice(Math.max(0, open.length - room)), "", ...unsent, ...question];
    const cursor = isTyping
      ? { row: above.length + input.cursor.row, column: input.cursor.column }
      : { row: above.length - 1, column: 0 };
    return { rows: [...above, ...input.rows, ...below], cursor };
  }

  #statusText(): string {
    const work = this.#turn ? `working ${Math.floor((performance.now() - this.#turn.startedAt) / 1000)} s` : "ready";
    const mode = this.mode() === "ask" ? [] : [`mode ${this.mode()}`];
    return [work, ...(this.#model ? [this.#model] : []), ...mode, this.usage.text()].join(" · ");
  }
}

function stripEnd(text: string): string {
  return text.replace(/\n+$/, "");
}
