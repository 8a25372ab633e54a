import type { Subject } from "../case.ts";

/** Something that waits until it is let go, or until the case is over. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate({ over }: Pick<Subject, "over">): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  over.addEventListener("abort", () => resolve());
  return { opened: promise, open: resolve };
}
