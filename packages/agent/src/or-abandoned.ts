/**
 * What work comes to, or `instead` if it has not come to an end shortly after the signal was aborted; what the work does
 * later is nobody's business.
 *
 * @throws what the work throws until then
 */
export function orAbandoned<T, U>(work: () => Promise<T>, signal: AbortSignal, instead: U): Promise<T | U> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abandonSoon = () => {
      timer = setTimeout(() => resolve(instead), patience);
    };
    if (signal.aborted) abandonSoon();
    else signal.addEventListener("abort", abandonSoon, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abandonSoon);
    };
    (async () => work())().finally(done).then(resolve, reject);
  });
}

/** How long work may take to answer a run that was cancelled, in milliseconds, before the run goes on without. */
const patience = 250;
