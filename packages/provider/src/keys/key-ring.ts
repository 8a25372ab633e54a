import { ProviderError } from "../errors.ts";
import { redactor } from "../http/access/redactor.ts";

export interface KeyRingOptions {
  /** How long a limited key rests if the server does not say; 60,000 by default. */
  rest?: number | undefined;
  /** How long a key rests at least whose quota is used up; 3,600,000 by default. */
  quotaRest?: number | undefined;
  /** What time it is; `Date.now` by default. */
  clock?: (() => number) | undefined;
}

/** Which of several keys is used now, and which of them rest until when. Times are in milliseconds. */
export interface KeyRing {
  /**
   * The index of the key that is used now, or of the next one that neither rests nor is in `tried`.
   *
   * @throws ProviderError if there is none: that of the key which is back first
   */
  next(tried: ReadonlySet<number>): number;
  isResting(index: number): boolean;
  /** The server has limited this key. */
  rest(index: number, error: ProviderError): void;
  /** `key 2 of 3`. */
  label(index: number): string;
}

/** @throws RangeError if a time is less than 0 */
export function createKeyRing(keys: readonly string[], options: KeyRingOptions = {}): KeyRing {
  const { rest = 60_000, quotaRest = 3_600_000, clock = Date.now } = options;
  for (const [name, time] of Object.entries({ rest, quotaRest })) {
    if (!(time >= 0)) throw new RangeError(`\`${name}\` is ${time}: it is a number of milliseconds, 0 or more.`);
  }
  const redact = redactor(keys);
  const limited = new Map<number, { until: number; error: ProviderError }>();
  let current = 0;

  function isResting(index: number): boolean {
    return (limited.get(index)?.until ?? 0) - clock() > timerTolerance;
  }

  function label(index: number): string {
    return `key ${index + 1} of ${keys.length}`;
  }

  function allRest(): ProviderError {
    const [index, { until, error }] = [...limited].reduce((a, b) => (b[1].until < a[1].until ? b : a));
    const { code, status, retryable } = error;
    const retryAfter = Math.max(0, Math.ceil(until - clock())) / 1000;
    // Where it is long nobody wants to read of milliseconds.
    const pause = `${retryAfter < 10 ? retryAfter : Math.ceil(retryAfter)} s`;
    const message = `Every key is limited. Back first is ${label(index)}, in ${pause}: ${redact(error.message)}`;
    return new ProviderError(code, message, { status, retryable, retryAfter });
  }

  return {
    next(tried) {
      for (let step = 0; step < keys.length; step++) {
        const index = (current + step) % keys.length;
        if (isResting(index) || tried.has(index)) continue;
        current = index;
        return index;
      }
      throw allRest();
    },
    rest(index, error) {
      const told = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
      const time = error.retryable ? (told ?? rest) : Math.max(told ?? 0, quotaRest);
      const until = clock() + time;
      // A request that began before the key rested may fail after it, and knows less: it does not end a longer rest.
      if (until >= (limited.get(index)?.until ?? 0)) limited.set(index, { until, error });
    },
    isResting,
    label,
  };
}

/** A timer may fire a millisecond early: who has waited until then is to find the key awake. */
const timerTolerance = 1;
