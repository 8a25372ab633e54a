import { counted, duration, excerpt } from "../../conversation/format.ts";
import { visible } from "../../text.ts";
import { button, tag } from "../tag.ts";
import type { ListedConversation } from "./server.ts";

/** The conversations of the store, at the side. */
export class ConversationList {
  readonly element: HTMLElement;
  readonly #list = tag("ul");
  #drawn = "";

  constructor(begin: () => void) {
    this.element = tag(
      "nav",
      { class: "conversations", "aria-label": "Conversations" },
      tag(
        "div",
        { class: "row" },
        tag("h2", {}, "Conversations"),
        button("New", begin, { "aria-label": "New conversation" }),
      ),
      this.#list,
    );
  }

  draw(listed: readonly ListedConversation[], current: string): void {
    const now = Date.now() / 1000;
    const rows = listed.map(({ conversation, title, events, updatedAt }) => {
      const ago = Math.max(0, now - updatedAt);
      const when = ago < 60 ? "now" : `${duration(Math.floor(ago / 60) * 60).replace(" 0 s", "")} ago`;
      const facts = `${counted(events, "event")} · ${ago > 172_800 ? new Date(updatedAt * 1000).toLocaleDateString("sv-SE") : when}`;
      return { conversation, title: visible(excerpt(title || conversation, 70)), facts };
    });
    const key = JSON.stringify([rows, current]);
    // What has the focus stays.
    if (key === this.#drawn) return;
    this.#drawn = key;
    const focused = (document.activeElement as HTMLAnchorElement | null)?.hash;
    this.#list.replaceChildren(
      ...rows.map(({ conversation, title, facts }) => {
        const href = `#${encodeURIComponent(conversation)}`;
        const isCurrent = conversation === current;
        return tag(
          "li",
          {},
          tag(
            "a",
            { href, "aria-current": isCurrent ? "page" : undefined },
            title,
            tag("span", { class: "fact" }, facts),
          ),
        );
      }),
    );
    if (focused && focused !== "") this.#list.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
  }
}
