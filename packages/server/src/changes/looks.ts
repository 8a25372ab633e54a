import type { Store } from "@cogency/storage";
import type { Frame, Frames } from "../stream/event-stream.ts";
import { Look } from "./look.ts";

/** The lists of conversations that somebody reads, one look for each user. */
export class Looks {
  readonly #store: Pick<Store, "conversations" | "load">;
  readonly #looks = new Map<string | undefined, Look>();

  constructor(store: Pick<Store, "conversations" | "load">) {
    this.#store = store;
  }

  /** The number of users whose list somebody reads. */
  get users(): number {
    return this.#looks.size;
  }

  /** Something of the user has changed here: those who read their list hear of it at once. */
  hint(user: string | undefined): void {
    this.#looks.get(user)?.lookNow();
  }

  /** Reads the list of a user: at first all of it, then what changes. */
  read(user: string | undefined): Frames {
    const look = this.#looks.get(user) ?? new Look(this.#store, user);
    this.#looks.set(user, look);
    let woken = Promise.withResolvers<void>();
    let version = 0;
    let isClosed = false;
    const wake = () => woken.resolve();
    look.join(wake);

    const next = async (): Promise<Frame | undefined> => {
      while (!isClosed) {
        woken = Promise.withResolvers();
        const found = look.since(version);
        if (found) {
          version = found.version;
          const news = Array.isArray(found.news) ? { conversations: found.news } : found.news;
          return { text: `data: ${JSON.stringify(news)}\n\n`, at: 0 };
        }
        await woken.promise;
      }
      return undefined;
    };

    const close = async (): Promise<void> => {
      isClosed = true;
      wake();
      look.leave(wake);
      // A look that has failed is not joined again.
      if (look.readers === 0 && this.#looks.get(user) === look) this.#looks.delete(user);
    };

    return { next, close };
  }
}
