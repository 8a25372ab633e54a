import type { Parts } from "@cogency/protocol/parts";
import { startProcess } from "./start-site.ts";

/** What a reader shows, and since when, in milliseconds. */
export interface Shown {
  at: number;
  parts: Parts;
  status: string;
  connection: string;
}

/** A reader in a process of its own, and all that it has shown. */
export interface Reader {
  readonly screens: readonly Shown[];
  /** Resolves when it shows something that fits, now or later. */
  shows(fits: (shown: Shown) => boolean): Promise<Shown>;
  kill(): Promise<void>;
}

/** @param urls the servers that it asks, the next one when one is away */
export function startReader(urls: readonly string[], conversation: string, user = "ada"): Reader {
  const { next, kill } = startProcess("reader-process.ts", [user, conversation, ...urls]);
  const screens: Shown[] = [];
  const waiting = new Set<() => void>();
  void (async () => {
    for (;;) {
      screens.push(JSON.parse(await next()));
      for (const look of waiting) look();
    }
  })().catch(() => {});
  return {
    screens,
    kill,
    shows: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const last = screens.at(-1);
          if (!last || !fits(last)) return;
          waiting.delete(look);
          resolve(last);
        };
        waiting.add(look);
        look();
      }),
  };
}
