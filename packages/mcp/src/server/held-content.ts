import type { Content } from "@cogency/tools";

/** Content that calls have brought to one client, the first of each kind: what its model reads may steer its next calls. */
export interface HeldContent {
  readonly content: readonly Content[];
  add(brought: readonly Content[]): void;
}

export function heldContent(): HeldContent {
  const content: Content[] = [];
  return {
    content,
    add(brought) {
      for (const one of brought) if (!content.some(({ holds }) => holds === one.holds)) content.push(one);
    },
  };
}

/** Users of whom it is kept. */
const mostUsers = 10_000;

/** For requests that stand alone: what their user has got so far, as long as the process lives. */
export function heldByUsers(): (user: string | undefined) => HeldContent {
  const users = new Map<string, HeldContent>();
  return (user) => {
    if (user === undefined) return heldContent();
    const held = users.get(user) ?? heldContent();
    users.delete(user);
    users.set(user, held);
    const [oldest] = users.keys();
    if (users.size > mostUsers && oldest !== undefined) users.delete(oldest);
    return held;
  };
}
