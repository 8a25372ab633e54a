import type { Key } from "../key.ts";

/** Hears of each change under a name. */
interface ChangeListener {
  changed(): void;
}

/** Tells of changes by name. */
export interface KeyedChanges {
  /** Tells `listener` of each change of the name from now on, until `forget`. */
  listen(name: string, listener: ChangeListener): void;
  forget(name: string, listener: ChangeListener): void;
  /** Resolves at the next change of the name, or when `signal` is aborted. */
  next(name: string, signal: AbortSignal | undefined): Promise<void>;
  announce(name: string): void;
  announceAll(): void;
}

export function createKeyedChanges(): KeyedChanges {
  /** Only names that somebody listens to. Most have one listener: the run of the conversation. */
  const listeners = new Map<string, readonly ChangeListener[]>();

  const listen = (name: string, listener: ChangeListener) => {
    listeners.set(name, [...(listeners.get(name) ?? []), listener]);
  };
  const forget = (name: string, listener: ChangeListener) => {
    const others = listeners.get(name)?.filter((other) => other !== listener) ?? [];
    if (others.length > 0) listeners.set(name, others);
    else listeners.delete(name);
  };
  const announce = (name: string) => {
    for (const listener of listeners.get(name) ?? []) listener.changed();
  };
  return {
    listen,
    forget,
    announce,
    announceAll() {
      for (const name of [...listeners.keys()]) announce(name);
    },
    next: (name, signal) =>
      new Promise((resolve) => {
        const changed = () => {
          forget(name, listener);
          signal?.removeEventListener("abort", changed);
          resolve();
        };
        const listener = { changed };
        if (signal?.aborted) return resolve();
        listen(name, listener);
        signal?.addEventListener("abort", changed);
      }),
  };
}

/** A text that no other key has. */
export function keyName({ conversation, user }: Key): string {
  return JSON.stringify([user ?? null, conversation]);
}
