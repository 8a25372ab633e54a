import { matchesKey } from "@earendil-works/pi-tui";
import type { ChatParts } from "./chat-parts.ts";
import { ChoiceList } from "./choice/choice-list.ts";
import type { Choice } from "./conversation/conversation-view.ts";
import type { Typing } from "./typing.ts";

interface ChatKeysOptions {
  readonly typing: Typing;
  /** Undefined until they are loaded. */
  parts(): ChatParts | undefined;
  refresh(): void;
  /** Prints a line permanently. */
  say(line: string): void;
  leave(): void;
  suspend(): void;
  edit(): Promise<void>;
}

/** Milliseconds in which a second Ctrl-C leaves. */
const twice = 2000;
/** Milliseconds in which a second Esc goes back. */
const quickly = 1000;

/** What each key does, which depends on what the chat shows. */
export class ChatKeys {
  readonly #options: ChatKeysOptions;
  #choice: ChoiceList | undefined;
  /** When an Esc had nothing to do. */
  #escapedAt = Number.NEGATIVE_INFINITY;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ChatKeysOptions) {
    this.#options = options;
  }

  /** What the person chooses from now. */
  get choice(): ChoiceList | undefined {
    return this.#choice;
  }

  /** Whether a second Esc goes back to an earlier prompt. */
  isGoingBack(now: number): boolean {
    return now - this.#escapedAt < quickly && this.#canGoBack;
  }

  take(data: string): void {
    const { typing, leave, suspend, edit, refresh } = this.#options;
    const { input } = typing;
    const { conversation, questions } = this.#options.parts() ?? {};
    const isEscape = matchesKey(data, "escape");
    const isInterrupt = matchesKey(data, "ctrl+c");
    // A Ctrl-C after another key cancels; only two in a row leave.
    if (!isInterrupt) this.#interruptedAt = Number.NEGATIVE_INFINITY;
    if (!isEscape) this.#escapedAt = Number.NEGATIVE_INFINITY;
    if (this.#choice) this.#choice.key(data);
    else if (isInterrupt) this.#interrupt();
    else if (matchesKey(data, "ctrl+z")) suspend();
    else if (typing.isSearching) typing.searchKey(data);
    else if (matchesKey(data, "shift+tab") && !input.isCompleting) void conversation?.nextMode();
    else if (matchesKey(data, "alt+t")) void conversation?.command("think", "next");
    else if (questions?.isOpen && isEscape && !input.isCompleting) typing.noAnswer(questions);
    else if (questions?.isOpen && !questions.takesText) typing.questionKey(data, questions);
    else if (matchesKey(data, "ctrl+d") && input.text === "") leave();
    else if (isEscape && !input.isCompleting) this.#escape();
    else if (data === "\u001b\u001b" && this.#canGoBack) void conversation?.command("back");
    else if (matchesKey(data, "ctrl+v")) void conversation?.command("paste");
    else if (matchesKey(data, "ctrl+r")) typing.search();
    else if (matchesKey(data, "ctrl+g")) void edit();
    else if (matchesKey(data, "ctrl+o")) void conversation?.command("show");
    else if (matchesKey(data, "ctrl+t")) void conversation?.command("plan");
    else if (matchesKey(data, "alt+enter") && conversation?.state.turn) typing.later();
    else typing.key(data);
    refresh();
  }

  /** Has the person choose. Resolves with the index of a row; undefined for none. */
  choose(choice: Choice): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#choice = new ChoiceList(choice, (chosen) => {
      this.#choice = undefined;
      this.#escapedAt = Number.NEGATIVE_INFINITY;
      resolve(chosen);
    });
    this.#options.refresh();
    return promise;
  }

  #interrupt(): void {
    const { typing, parts, leave, say } = this.#options;
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < twice;
    this.#interruptedAt = now;
    typing.endSearch();
    if (isSecond) leave();
    else if (!parts()?.conversation.cancel("Ctrl-C.") && !typing.clear()) say("Ctrl-C again leaves.");
  }

  /** Takes back what was not sent, else cancels the turn; twice, where there is neither, goes back to an earlier prompt. */
  #escape(): void {
    const { typing, parts, refresh } = this.#options;
    const conversation = parts()?.conversation;
    const canGoBack = this.#canGoBack;
    const unsent = conversation?.takeBack();
    const now = performance.now();
    if (unsent !== undefined) typing.giveBack(unsent);
    else if (canGoBack && now - this.#escapedAt < quickly) void conversation?.command("back");
    else if (canGoBack) {
      this.#escapedAt = now;
      // Until then the foot says what a second Esc does.
      setTimeout(refresh, quickly).unref();
    } else conversation?.cancel("Esc.");
  }

  get #canGoBack(): boolean {
    const { turn, own } = this.#options.parts()?.conversation.state ?? {};
    return !turn && !own && this.#options.typing.input.text === "";
  }
}
