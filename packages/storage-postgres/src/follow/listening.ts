import type { Notifications } from "./notifications.ts";

/** Returns the iteration, during which a connection listens for notifications. */
export function listening(
  notifications: Pick<Notifications, "enter" | "leave">,
  values: AsyncIterableIterator<void, void, undefined>,
): AsyncIterableIterator<void, void, undefined> {
  let state: "new" | "listening" | "over" = "new";
  const leave = () => {
    if (state === "listening") notifications.leave();
    state = "over";
  };
  return {
    async next() {
      if (state === "new") {
        notifications.enter();
        state = "listening";
      }
      try {
        const result = await values.next();
        if (result.done) leave();
        return result;
      } catch (error) {
        leave();
        throw error;
      }
    },
    async return() {
      leave();
      return (await values.return?.()) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
