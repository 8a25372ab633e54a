import { wait } from "@cogency/async";

/** Which addresses a server says a person has finished at, by the ids that it gave to its questions. */
export interface Addresses {
  complete(id: string): void;
  /** Resolves once the server says so, at the latest after `most` milliseconds, or when the signal aborts. */
  completed(id: string, most: number, signal: AbortSignal): Promise<void>;
}

export function createAddresses(): Addresses {
  const done = new Set<string>();
  const listeners = new Set<(id: string) => void>();
  return {
    complete(id) {
      if (id.length > longestId) return;
      done.add(id);
      const [oldest] = done;
      if (done.size > mostIds && oldest !== undefined) done.delete(oldest);
      for (const listener of [...listeners]) listener(id);
    },
    async completed(id, most, signal) {
      if (done.has(id)) return;
      const came = new AbortController();
      const listener = (other: string) => {
        if (other === id) came.abort();
      };
      listeners.add(listener);
      await wait(most, AbortSignal.any([signal, came.signal]));
      listeners.delete(listener);
    },
  };
}

const mostIds = 100;
const longestId = 200;
