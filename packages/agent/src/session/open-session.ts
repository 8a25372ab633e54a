import type { ConnectOptions, ModelRequest, Provider, RetryEvent, Session } from "@cogency/provider";

/**
 * Opens a session, and yields a `retry` event for each attempt that is repeated. If the consumer leaves before the session
 * is open, the session is closed as soon as it opens.
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
      const retried = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (retries.length === 0) await Promise.race([settled, retried]);
      yield* retries.splice(0);
    }
    hasLeft = false;
    return await connecting;
  } finally {
    if (hasLeft) connecting.then((session) => session.close()).catch(() => {});
  }
}
