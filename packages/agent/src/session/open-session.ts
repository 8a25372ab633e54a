import type { ConnectOptions, ModelRequest, Provider, RetryEvent, Session } from "@cogency/provider";

/**
 * Opens a session, and gives the retries meanwhile as events, when they happen. Who leaves before it is open leaves
 * nothing behind: it is closed as soon as it is.
 */
export async function* openSession(
  connect: NonNullable<Provider["connect"]>,
  request: ModelRequest,
  options: ConnectOptions,
): AsyncGenerator<RetryEvent, Session> {
  const retries: RetryEvent[] = [];
  let wake = () => {};
  let isSettled = false;
  let hasLeft = true;
  const connecting = connect(request, {
    ...options,
    onRetry(retry) {
      retries.push(retry);
      wake();
    },
  });
  const settled = connecting
    .catch(() => {})
    .then(() => {
      isSettled = true;
    });
  try {
    while (!isSettled || retries.length > 0) {
      const told = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (retries.length === 0) await Promise.race([settled, told]);
      yield* retries.splice(0);
    }
    hasLeft = false;
    return await connecting;
  } finally {
    if (hasLeft) connecting.then((session) => session.close()).catch(() => {});
  }
}
