import { styleText } from "node:util";
import { matchesKey } from "@earendil-works/pi-tui";
import { editElsewhere } from "../base/edit-elsewhere.ts";
import { oneLine, visible, wordWrapped } from "../base/terminal/text.ts";
import { isLoneAnswer, lateAnswerText } from "../person/approval/late-answers.ts";
import type { Block } from "../screen/screen.ts";
import type { ChatParts } from "./chat-parts.ts";
import { Input } from "./input/input.ts";
import { pastedPicture } from "./input/pasted-picture.ts";
import { foundPrompt, type PromptHistory, type PromptSearch } from "./input/prompt-history.ts";

interface TypingOptions {
  readonly stream: NodeJS.WriteStream;
  readonly prompts: PromptHistory;
  /** Undefined until they are loaded. */
  parts(): ChatParts | undefined;
  /** Prints lines permanently. */
  add(block: Block): void;
  refresh(): void;
}

/** What is typed and not sent yet. Nothing of it is lost: it waits for the parts, for an answer, or for the next chat. */
export class Typing {
  readonly input: Input;
  readonly #options: TypingOptions;
  /** What was submitted before the parts were loaded. */
  #early: string[] = [];
  /** What was typed before a question took the editor. */
  #draft: string | undefined;
  #search: PromptSearch | undefined;

  constructor(options: TypingOptions) {
    this.#options = options;
    this.input = new Input(options.stream, options.refresh);
    this.input.onSubmit = (text) => this.#submitted(text);
  }

  get early(): readonly string[] {
    return this.#early;
  }

  /** What is set aside until a question is answered. */
  get draft(): string | undefined {
    return this.#draft;
  }

  get isSearching(): boolean {
    return this.#search !== undefined;
  }

  /** What the search in earlier prompts has found. */
  get searchText(): string | undefined {
    if (this.#search === undefined) return undefined;
    const found = foundPrompt(this.#search, this.input.earlier);
    const result = found === undefined ? "nothing found" : `${found}  (Enter takes it, Ctrl-R looks further)`;
    return oneLine(`search "${this.#search.words}": ${result}`, 400);
  }

  /** Brings the prompts of earlier chats back. */
  async load(): Promise<void> {
    for (const prompt of await this.#options.prompts.load()) this.input.remember(prompt);
  }

  /** Sends what was submitted before the parts were loaded. */
  sendEarly(first: string | undefined, { conversation }: ChatParts): void {
    const said = first === undefined ? this.#early : [first, ...this.#early];
    this.#early = [];
    for (const text of said) conversation.submit(text);
  }

  /** A key of the editor. */
  key(data: string): void {
    this.input.key(withMention(data));
  }

  /** Types a text as the terminal pastes one. */
  insert(text: string): boolean {
    this.key(`\u001b[200~${text}\u001b[201~`);
    this.#options.refresh();
    return true;
  }

  /** A key that does not answer belongs to what is being typed. Enter sends that, unless it looks like an answer. */
  questionKey(data: string, questions: ChatParts["questions"]): void {
    if (questions.key(data, this.input)) return;
    const { text } = this.input;
    const isSending = matchesKey(data, "enter");
    if (isSending && (text === "" || isLoneAnswer(text))) return;
    this.input.key(data);
    if (isSending) questions.sent();
  }

  /** Esc sets aside what is being typed, so that the keys answer; else it answers no. */
  noAnswer(questions: ChatParts["questions"]): void {
    if (!questions.escape(this.input)) return;
    // A lone answer was typed too soon, and is no text to keep.
    const kept = isLoneAnswer(this.input.text) ? "" : this.input.text;
    this.#draft = joined(this.#draft ?? "", kept);
    this.input.text = "";
  }

  /** Takes the line away, and keeps it among the earlier prompts. Returns whether there was one. */
  clear(): boolean {
    if (this.input.text === "") return false;
    this.#remember(this.input.text);
    this.input.text = "";
    return true;
  }

  /** Says what is typed after the answer. */
  later(): void {
    const { text } = this.input;
    this.clear();
    this.#options.parts()?.conversation.later(text);
  }

  search(): void {
    this.#search = { words: "", skip: 0 };
  }

  endSearch(): void {
    this.#search = undefined;
  }

  searchKey(data: string): void {
    const search = this.#search;
    if (search === undefined) return;
    if (matchesKey(data, "escape")) this.#search = undefined;
    else if (matchesKey(data, "enter")) {
      this.input.text = foundPrompt(search, this.input.earlier) ?? this.input.text;
      this.#search = undefined;
    } else if (matchesKey(data, "ctrl+r")) this.#search = { ...search, skip: search.skip + 1 };
    else if (matchesKey(data, "backspace")) this.#search = { words: search.words.slice(0, -1), skip: 0 };
    else if (/^[^\p{Cc}]+$/u.test(data)) this.#search = { words: search.words + data, skip: 0 };
  }

  /** Has the person write it in the editor of theirs that `command` starts. */
  async edit(command: string): Promise<void> {
    const text = await editElsewhere(this.input.text, command);
    if (text !== undefined) this.input.text = text;
  }

  /** Puts a text that was not sent before what is typed. */
  giveBack(text: string): void {
    if (this.#draft === undefined) this.input.text = joined(text, this.input.text);
    else this.#draft = joined(text, this.#draft);
    this.#options.refresh();
  }

  /** A question that takes text has the editor for itself. When a question is settled, what was set aside comes back. */
  keepDraft(): void {
    const { isOpen, takesText } = this.#options.parts()?.questions ?? {};
    if (takesText && this.#draft === undefined) {
      this.#draft = this.input.text;
      this.input.text = "";
    } else if (!isOpen && this.#draft !== undefined) {
      this.input.text = joined(this.#draft, this.input.text);
      this.#draft = undefined;
    }
  }

  /** Shows what was typed and not sent, and keeps it among the earlier prompts. */
  keepUnsent(): void {
    const text = joined(...this.#early, this.#draft ?? "", this.input.text).trim();
    if (text === "") return;
    void this.#options.prompts.add(text);
    this.#say(["Not sent; the key Up brings it back in the next chat:", ...visible(text).split("\n")]);
  }

  #submitted(text: string): void {
    const parts = this.#options.parts();
    const questions = parts?.questions;
    if (questions?.takesText) {
      if (!questions.submit(text)) this.input.text = text;
    } else if (questions?.isLate(text)) this.#say([lateAnswerText(text)]);
    else if (text.trim() !== "") {
      this.#remember(text.trim());
      if (parts) parts.conversation.submit(text);
      else this.#early.push(text);
    }
  }

  #remember(text: string): void {
    if (text.trim() === "") return;
    this.input.remember(text);
    void this.#options.prompts.add(text);
  }

  #say(lines: readonly string[]): void {
    const { add, stream } = this.#options;
    add((columns) =>
      lines.flatMap((line) => wordWrapped(line, columns)).map((line) => styleText("dim", line, { stream })),
    );
  }
}

function joined(...texts: string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

/** The path of a picture that was pasted becomes a mention, which attaches it. */
function withMention(data: string): string {
  const [, pasted] = paste.exec(data) ?? [];
  const mention = pasted === undefined ? undefined : pastedPicture(pasted);
  return mention === undefined ? data : `\u001b[200~${mention} \u001b[201~`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals mark pastes with these.
const paste = /^\x1b\[200~(.*)\x1b\[201~$/s;
