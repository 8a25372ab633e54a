import type { LiveSource } from "../../page-source.ts";
import { listenForKeys } from "../keys.ts";
import { pageBar } from "../page-bar.ts";
import { tag } from "../tag.ts";
import { ConversationList } from "./conversation-list.ts";
import { LiveConversation } from "./live-conversation.ts";
import { Server } from "./server.ts";

/** The page of `cogency open`: the conversations at the side, and the one that the address names. */
export class LivePage {
  readonly #server: Server;
  readonly #list: ConversationList;
  readonly #tools = tag("div");
  readonly #main = tag("main", { id: "main" });
  readonly #problem = tag("p", { class: "problem", role: "alert", hidden: true });
  #current: LiveConversation | undefined;
  /** Words for the box of the conversation that is opened next. */
  #words: string | undefined;
  /** For which conversation and which list its forks were read last. */
  #forksOf = "";
  /** The conversation with the latest event. */
  #latest: string | undefined;

  constructor(source: LiveSource) {
    this.#server = new Server(source);
    this.#list = new ConversationList(() => this.#open(crypto.randomUUID()));
  }

  async start(): Promise<void> {
    const help = listenForKeys((filter) => this.#current?.page.setFilter(filter));
    document.body.classList.add("live");
    document.body.append(
      pageBar("Cogency", "", this.#tools, help),
      this.#list.element,
      this.#main,
      this.#problem,
      help,
    );
    try {
      await this.#refresh();
      addEventListener("hashchange", () => this.#showHash());
      this.#showHash();
      setInterval(() => document.visibilityState === "visible" && this.#refresh().catch(() => {}), 5000);
      document.addEventListener("visibilitychange", () => this.#refresh().catch(() => {}));
    } catch (error) {
      this.#tell(error);
    }
  }

  async #refresh(): Promise<void> {
    const listed = await this.#server.conversations();
    this.#latest = listed[0]?.conversation;
    this.#list.draw(listed, this.#current?.name ?? "");
    await this.#current?.showWaiting();
    // A fork is a conversation that comes into the list.
    const names = listed.map(({ conversation, title }) => [conversation, title]).sort();
    const key = JSON.stringify([this.#current?.name, names]);
    if (key !== this.#forksOf && (await this.#current?.showForks())) this.#forksOf = key;
  }

  #showHash(): void {
    const [, name = "", seq] = /^#([^/]*)(?:\/e(\d+))?$/.exec(location.hash) ?? [];
    if (name === "main") return;
    const conversation = decoded(name) || this.#current?.name || this.#latest;
    this.#open(conversation ?? crypto.randomUUID());
    if (seq) this.#current?.showEvent(Number(seq));
  }

  #open(conversation: string): void {
    if (this.#current?.name === conversation) return;
    this.#current?.close();
    const current = new LiveConversation(conversation, this.#server, {
      tell: (error) => this.#tell(error),
      opened: (name, words) => {
        this.#words = words;
        this.#open(name);
      },
      changed: () => this.#refresh().catch(() => {}),
      titled: (title) => {
        document.title = title;
        const heading = document.querySelector("h1");
        if (heading) heading.textContent = title;
      },
    });
    this.#current = current;
    this.#tools.replaceChildren(current.page.bar);
    this.#main.replaceChildren(current.points.element, current.page.element, current.composer.element);
    const hash = `#${encodeURIComponent(conversation)}`;
    if (!location.hash.startsWith(hash)) history.pushState(null, "", hash);
    current.start();
    current.composer.propose(this.#words ?? "");
    this.#words = undefined;
    this.#refresh().catch(() => {});
  }

  /** Shows a problem until something else is done; nothing if it is over. */
  #tell(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error ?? "");
    // The same text again would be read out again.
    if (this.#problem.textContent !== text) this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
