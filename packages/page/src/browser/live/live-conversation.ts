import type { Json } from "@cogency/protocol";
import { duration } from "../../conversation/format.ts";
import { ShownConversation } from "../../conversation/shown-conversation.ts";
import { AgentSteps } from "../agent-steps.ts";
import { ConversationPage } from "../conversation-page.ts";
import type { Actions } from "../page-context.ts";
import { Composer } from "./composer.ts";
import { type Connection, follow } from "./follow.ts";
import { inFrames } from "./in-frames.ts";
import { PointsView } from "./points-view.ts";
import { RunningCalls } from "./running-calls.ts";
import type { ListedFork, PageMessage, Server } from "./server.ts";

/** What a conversation tells the page around it. */
export interface Surroundings {
  /** A problem for the person; undefined once it is over. */
  tell(error: unknown): void;
  /** Another conversation is to be shown, with words in its box. */
  opened(conversation: string, words: string | undefined): void;
  /** The list of conversations may have changed. */
  changed(): void;
  titled(title: string): void;
}

/** A conversation that is followed: what it shows comes from its log alone, so that a page that comes late shows the same. */
export class LiveConversation {
  readonly name: string;
  readonly page: ConversationPage;
  readonly composer: Composer;
  readonly #conversation = new ShownConversation();
  readonly #server: Server;
  readonly #around: Surroundings;
  #connection: Connection = "connecting";
  #stop: (() => void) | undefined;
  #isDue = false;
  #wanted: number | undefined;
  /** When a piece came, in seconds. */
  #heardAt = 0;
  readonly #drawOpen = inFrames(() => this.#sticking(() => this.#drawOpenNow()));
  /** Until then, the end of the page stays on the screen: steps get their height only when they come near it. */
  #sticksUntil = 0;
  readonly #growth = new ResizeObserver(() => {
    if (performance.now() < this.#sticksUntil) this.#scrollToEnd();
  });
  readonly points = new PointsView();
  #forks: readonly ListedFork[] = [];
  readonly #actions: () => Actions | undefined;
  readonly #running: RunningCalls;
  readonly #agents: AgentSteps;
  readonly #timers: readonly ReturnType<typeof setInterval>[];

  constructor(name: string, server: Server, around: Surroundings) {
    this.name = name;
    this.#server = server;
    this.#around = around;
    this.#agents = new AgentSteps({
      hrefOf,
      hrefOfEvent: (of, seq) => hrefOf(of, seq),
      read: (of, onEvent) => follow(server.eventsOf(of), { onEvent, onConnection() {} }),
    });
    const actions: Actions = {
      about: (question) => server.about(name, question),
      approve: (question, rule) => this.#tryPost({ kind: "approve", question, ...(rule !== undefined && { rule }) }),
      deny: (question, reason) => this.#tryPost({ kind: "deny", question, ...(reason && { reason }) }),
      answer: (question, content: Json) => this.#tryPost({ kind: "answer", question, content }),
      fork: (at, words) => this.#fork(at, words),
      name: (text, at) => this.#try(() => server.name(name, text, at)),
    };
    const conversation = this.#conversation;
    this.page = new ConversationPage({
      conversation,
      hrefOf: (seq) => hrefOf(name, seq),
      idOf: (seq) => `e${seq}`,
      agents: this.#agents,
      // An agent that another one has started is spoken to where a person began.
      get actions() {
        return conversation.caller ? undefined : actions;
      },
    });
    this.#actions = () => (conversation.caller ? undefined : actions);
    this.composer = new Composer({
      send: async (kind, content, id) => {
        await this.#post({ kind, content }, id);
      },
      cancel: () => this.#tryPost({ kind: "cancel" }),
    });
    this.#running = new RunningCalls(this.#conversation, this.page.element);
    // The time since the last event is part of the status.
    this.#timers = [setInterval(() => this.#drawStatus(), 5000), setInterval(() => this.#running.draw(), 1000)];
  }

  start(): void {
    this.#drawNow();
    this.#growth.observe(this.page.element);
    // A conversation without messages has no events yet; they come once it has.
    this.#follow();
  }

  close(): void {
    this.#stop?.();
    this.#agents.close();
    this.#growth.disconnect();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Shows an event, now or when it is there. */
  showEvent(seq: number): void {
    this.#wanted = seq;
    this.#draw();
  }

  /** Reads the tree of forks, which events of other conversations change. Resolves to whether it could be read. */
  async showForks(): Promise<boolean> {
    if (this.#conversation.events.length === 0) return false;
    try {
      this.#forks = await this.#server.forks(this.name);
    } catch {
      return false;
    }
    this.#drawPoints();
    return true;
  }

  #drawPoints(): void {
    this.points.draw({
      conversation: this.name,
      points: [...this.#conversation.points.values()].sort((one, other) => one.at - other.at),
      forks: this.#forks,
      hrefOf,
      actions: this.#actions(),
    });
  }

  /** Shows what was sent and not read yet. The log does not hold it. */
  async showWaiting(): Promise<void> {
    const messages = await this.#server.waiting(this.name).catch(() => []);
    this.composer.showWaiting(messages, this.#conversation.takenMessages);
  }

  #follow(): void {
    this.#stop = follow(this.#server.eventsOf(this.name), {
      onEvent: (event) => {
        this.#conversation.write(event);
        this.#draw();
      },
      onPieces: (pieces) => {
        this.#conversation.writePieces(pieces);
        this.#heardAt = Date.now() / 1000;
        this.#drawOpen();
      },
      onConnection: (connection) => {
        this.#connection = connection;
        this.#drawStatus();
        // An EventSource does not say why it broke off; another request does.
        if (connection !== "open") {
          this.#server.conversations().then(() => this.#around.tell(undefined), this.#around.tell);
          return;
        }
        this.#around.tell(undefined);
        this.showWaiting();
      },
    });
  }

  /** Many events come at once when a long log is opened: it is drawn once a frame. */
  #draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow(): void {
    this.#isDue = false;
    this.#sticking(() => {
      this.page.draw();
      this.composer.showPlan(this.page.openPlan);
      this.#running.draw();
      this.#drawStatus();
      this.#drawPoints();
      this.#around.titled(this.page.title || "New conversation");
    });
    if (this.#wanted === undefined || (this.#conversation.events.at(-1)?.seq ?? 0) < this.#wanted) return;
    this.#sticksUntil = 0;
    this.page.show(this.#wanted);
    this.#wanted = undefined;
  }

  /** A letter changes one element. */
  #drawOpenNow(): void {
    this.page.drawOpen();
    this.#running.draw();
  }

  /** Keeps the end of the page on the screen, if it is there before something is drawn. */
  #sticking(draw: () => void): void {
    const root = document.documentElement;
    const isAtEnd = innerHeight + scrollY >= root.scrollHeight - 80;
    draw();
    if (!isAtEnd) return;
    this.#sticksUntil = performance.now() + 500;
    this.#scrollToEnd();
  }

  #scrollToEnd(): void {
    scrollTo(0, document.documentElement.scrollHeight);
  }

  #drawStatus(): void {
    const { isIdle, takenMessages, caller } = this.#conversation;
    this.composer.element.hidden = caller !== undefined;
    this.composer.draw(isIdle, this.#status(), takenMessages);
  }

  #status(): string {
    if (this.#connection === "lost") return "The connection is lost; it is tried again.";
    if (this.#connection === "connecting") return "Connecting…";
    const { isIdle, parts, events } = this.#conversation;
    if (events.length === 0) return "A new conversation begins with your first message.";
    if (isIdle) return "Ready.";
    if (parts.some((part) => part.type === "question" && part.open)) return "A question waits for an answer.";
    const last = parts.at(-1);
    if (last?.type === "notice" && last.open) {
      if (last.parked) return "Nothing more is tried by itself.";
      return last.retryAt === undefined ? "What you write begins another try." : "The next try comes by itself.";
    }
    const silent = Date.now() / 1000 - Math.max(this.#heardAt, events.at(-1)?.timestamp ?? 0);
    return silent < 15
      ? "A run goes on."
      : `A run goes on, or was broken off: nothing has come for ${duration(silent)}.`;
  }

  async #post(message: PageMessage, id: string): Promise<void> {
    await this.#server.post(this.name, id, message);
    if (this.#conversation.events.length === 0) this.#around.changed();
  }

  async #tryPost(message: PageMessage): Promise<boolean> {
    return this.#try(() => this.#post(message, crypto.randomUUID()));
  }

  async #fork(at: number, words: string | undefined): Promise<boolean> {
    return this.#try(async () => {
      // Nothing was said before the first message, so there is nothing to fork.
      const isEmpty = !this.#conversation.events.slice(0, at).some(({ type }) => type !== "record");
      this.#around.opened(isEmpty ? crypto.randomUUID() : await this.#server.fork(this.name, at), words);
    });
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#around.tell(undefined);
      return true;
    } catch (error) {
      this.#around.tell(error);
      return false;
    }
  }
}

/** Where a conversation is shown, at an event if one is given. */
function hrefOf(conversation: string, seq?: number): string {
  return `#${encodeURIComponent(conversation)}${seq === undefined ? "" : `/e${seq}`}`;
}
