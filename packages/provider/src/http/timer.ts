export interface Timer {
  /** Counts anew. */
  refresh(): void;
  stop(): void;
}

/** A timer that cannot be longer than 2^31 - 1 ms fires at once; what is longer is as good as none. */
const longest = 2 ** 31 - 1;

/**
 * Calls `expire` after so many milliseconds, unless it is stopped before. It does not keep a process alive: what it
 * watches, a connection, does.
 */
export function startTimer(milliseconds: number, expire: () => void): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    if (milliseconds > longest) return;
    timer = setTimeout(expire, milliseconds);
    const handle: number | { unref?(): void } = timer;
    if (typeof handle === "object") handle.unref?.();
  };
  start();
  return {
    refresh() {
      clearTimeout(timer);
      start();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
