import type { Json } from "@cogency/protocol";
import type { LiveSource } from "../../page-source.ts";
import type { QuestionDetails } from "../page-context.ts";

/** What a person says to a conversation. */
export type PageMessage =
  | { readonly kind: "prompt" | "steer"; readonly content: string }
  | { readonly kind: "approve"; readonly question: string; readonly rule?: string }
  | { readonly kind: "deny"; readonly question: string; readonly reason?: string }
  | { readonly kind: "answer"; readonly question: string; readonly content: Json }
  | { readonly kind: "cancel" };

/** A message that no run has read yet. */
export type WaitingMessage = PageMessage & { readonly id: string };

export interface ListedConversation {
  readonly conversation: string;
  readonly title: string;
  readonly events: number;
  /** Unix time in seconds. */
  readonly updatedAt: number;
}

/** A conversation of the tree of forks. */
export interface ListedFork {
  readonly conversation: string;
  /** Absent for one that was deleted. */
  readonly title?: string;
  /** Unix time in seconds; absent for one that was deleted. */
  readonly updatedAt?: number;
  /** Which one it was forked from; absent for the first one. */
  readonly from?: string;
  /** With how many events of that it began. */
  readonly at?: number;
}

/** The server did not do what was asked; the message is for the person. */
class ServerError extends Error {
  override readonly name = "ServerError";
  /** The status of the answer; 0 if none came. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the page asks of the server. All reject with a ServerError. */
export class Server {
  readonly #source: LiveSource;

  constructor(source: LiveSource) {
    this.#source = source;
  }

  async conversations(): Promise<ListedConversation[]> {
    return (await (await this.#ask(`${this.#source.api}/conversations?limit=50`)).json()) as ListedConversation[];
  }

  /** Posts a message. The same `id` again is the same message, so that trying again is safe. */
  async post(conversation: string, id: string, message: PageMessage): Promise<void> {
    await this.#ask(`${this.#pathOf(conversation)}/messages`, { id, ...message });
  }

  /** What was sent to a conversation, from here or from elsewhere, and no run has read yet. */
  async waiting(conversation: string): Promise<WaitingMessage[]> {
    return (await (await this.#ask(`${this.#pathOf(conversation)}/messages`)).json()) as WaitingMessage[];
  }

  async about(conversation: string, question: string): Promise<QuestionDetails> {
    const address = `${this.#pathOf(conversation)}/questions?id=${encodeURIComponent(question)}`;
    return (await (await this.#ask(address)).json()) as QuestionDetails;
  }

  /** Begins a conversation with the first events of another one. Resolves to its name. */
  async fork(conversation: string, at: number): Promise<string> {
    const answer = await this.#ask(`${this.#pathOf(conversation)}/fork`, { at });
    return ((await answer.json()) as { conversation: string }).conversation;
  }

  /** The conversations that come, by forks, from the same one, each after the one it was forked from. */
  async forks(conversation: string): Promise<ListedFork[]> {
    const answer = await this.#ask(`${this.#pathOf(conversation)}/forks`);
    return ((await answer.json()) as { forks: ListedFork[] }).forks;
  }

  /** Names the point after the first `at` events; with `at` 0 the name is taken back. */
  async name(conversation: string, name: string, at: number): Promise<void> {
    await this.#ask(`${this.#pathOf(conversation)}/points`, { name, at });
  }

  /** The page shows requests, prices and where content came from, so it asks for the whole log. */
  eventsOf(conversation: string): string {
    return `${this.#pathOf(conversation)}/events?view=log`;
  }

  #pathOf(conversation: string): string {
    return `${this.#source.api}/conversations/${encodeURIComponent(conversation)}`;
  }

  async #ask(path: string, body?: object): Promise<Response> {
    const posting = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch(path, posting).catch(() => {
      throw new ServerError(0, "The server cannot be reached. Does cogency open still run?");
    });
    if (answer.ok) return answer;
    if (answer.status === 401)
      throw new ServerError(
        401,
        "This page has no session any more. Press Enter where cogency open runs, or start it again, and open the link that it prints.",
      );
    throw new ServerError(answer.status, await problemOf(answer));
  }
}

async function problemOf(answer: Response): Promise<string> {
  try {
    const { message } = (await answer.json()) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Not JSON.
  }
  return `The server answered ${answer.status}.`;
}
