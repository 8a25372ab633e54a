import { excerpt } from "../../conversation/format.ts";
import { asText } from "../../conversation/search-text.ts";
import { visible } from "../../text.ts";
import { button, tag } from "../tag.ts";
import type { WaitingMessage } from "./server.ts";

export interface Sender {
  /** @param id names the message: the same one again is not read twice. Rejects if the server did not take it */
  send(kind: "prompt" | "steer", content: string, id: string): Promise<void>;
  cancel(): Promise<boolean>;
}

/** The box for messages, and those that were sent and not read yet. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #sender: Sender;
  readonly #input = tag("textarea", { rows: 2, id: "words", "aria-label": "Message", placeholder: "Write a message" });
  readonly #send = tag("button", { type: "submit", class: "main" });
  readonly #queue: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  readonly #status = tag("p", { class: "fact", role: "status", id: "status" });
  readonly #outbox = tag("ul", { class: "outbox", "aria-label": "Messages that were not read yet" });
  /** Where the plan does not stand beside the conversation. */
  readonly #plan = tag("p", { class: "fact plan-line", hidden: true });
  readonly #waiting = new Map<string, HTMLElement>();
  #isIdle = true;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#queue = button("Send after this turn", () => this.#submit("prompt"));
    this.#cancel = button("Cancel the run", async () => {
      this.#cancel.disabled = true;
      await sender.cancel();
      this.#cancel.disabled = false;
    });
    this.element = tag(
      "form",
      { class: "composer", "aria-label": "Message" },
      this.#plan,
      this.#outbox,
      this.#input,
      tag("div", { class: "row" }, this.#send, this.#queue, this.#cancel, this.#status),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(this.#isIdle ? "prompt" : "steer");
    });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.element.requestSubmit();
    });
  }

  /** @param taken the ids of the messages that the log says were read */
  draw(isIdle: boolean, status: string, taken: ReadonlySet<string>): void {
    this.#isIdle = isIdle;
    this.#send.textContent = isIdle ? "Send" : "Send now";
    this.#send.title = isIdle ? "" : "The agent reads it before its next step";
    this.#queue.hidden = isIdle;
    this.#cancel.hidden = isIdle;
    if (this.#status.textContent !== status) this.#status.textContent = status;
    for (const [id, element] of this.#waiting) {
      if (!taken.has(id)) continue;
      element.remove();
      this.#waiting.delete(id);
    }
  }

  /** Shows how far the plan is; undefined without one that is open. */
  showPlan(text: string | undefined): void {
    this.#plan.hidden = text === undefined;
    if (this.#plan.textContent !== text) this.#plan.textContent = text ?? "";
  }

  /** Shows messages that wait, of which this page may not know: it was reloaded, or they were sent from elsewhere. */
  showWaiting(messages: readonly WaitingMessage[], taken: ReadonlySet<string>): void {
    for (const message of messages) {
      if (this.#waiting.has(message.id) || taken.has(message.id)) continue;
      const { item, state } = this.#item(wordsOf(message));
      state.replaceChildren(notRead);
      this.#waiting.set(message.id, item);
    }
  }

  /** Puts words into the box, for a person to change them. */
  propose(words: string): void {
    this.#input.value = words;
    this.focus();
  }

  focus(): void {
    this.#input.focus();
  }

  async #submit(kind: "prompt" | "steer"): Promise<void> {
    const content = this.#input.value.trim();
    if (content === "") return;
    this.#input.value = "";
    const { item, state } = this.#item(content);
    const id = crypto.randomUUID();
    // From now on, so that the list of the server does not show it a second time.
    this.#waiting.set(id, item);
    const post = async (): Promise<void> => {
      state.replaceChildren("sending…");
      try {
        await this.#sender.send(kind, content, id);
        state.replaceChildren(notRead);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const back = button("Edit", () => {
          item.remove();
          this.#waiting.delete(id);
          this.propose(content);
        });
        state.replaceChildren(`not sent: ${visible(why)} `, button("Try again", post), " ", back);
      }
    };
    await post();
  }

  #item(words: string): { item: HTMLElement; state: HTMLElement } {
    const state = tag("span", { class: "fact" });
    const item = tag("li", {}, tag("span", { class: "words" }, visible(excerpt(words, 120))), " ", state);
    this.#outbox.append(item);
    return { item, state };
  }
}

const notRead = "sent, not read yet";

function wordsOf(message: WaitingMessage): string {
  switch (message.kind) {
    case "prompt":
    case "steer":
      return message.content || "Attachments";
    case "approve":
      return "Your answer: allow";
    case "deny":
      return message.reason ? `Your answer: deny (${message.reason})` : "Your answer: deny";
    case "answer":
      return `Your answer: ${asText(message.content)}`;
    case "cancel":
      return "Cancel the run";
  }
}
