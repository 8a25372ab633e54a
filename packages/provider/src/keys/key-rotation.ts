import { atLeast, callback, checkOptions } from "@cogency/protocol/options";
import { ProviderError } from "../errors.ts";
import { redactor } from "../http/access/redactor.ts";

export interface KeyRotationOptions {
  /** Milliseconds for which a limited key rests if the server does not say. Defaults to 60,000. */
  rest?: number | undefined;
  /** The least number of milliseconds for which a key rests whose quota is used up. Defaults to 3,600,000. */
  quotaRest?: number | undefined;
  /** Returns the current time in milliseconds. Defaults to `Date.now`. */
  clock?: (() => number) | undefined;
}

/** Keeps track of which of several keys is in use, and which keys rest until when. Times are in milliseconds. */
export interface KeyRotation {
  /**
   * The index of the current key, or of the next one, that neither rests nor is in `tried`. It becomes the current key.
   *
   * @throws ProviderError if there is none: the error of the key that is available first
   */
  next(tried: ReadonlySet<number>): number;
  isResting(index: number): boolean;
  /** The server has limited this key. */
  rest(index: number, error: ProviderError): void;
  /** `key 2 of 3`. */
  label(index: number): string;
}

/** @throws RangeError if a time is less than 0 */
export function createKeyRotation(keys: readonly string[], options: KeyRotationOptions = {}): KeyRotation {
  const time = atLeast(0, "milliseconds");
  checkOptions<KeyRotationOptions>("rotateKeys", options, { rest: time, quotaRest: time, clock: callback });
  const { rest = 60_000, quotaRest = 3_600_000, clock = Date.now } = options;
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
    // A long pause is shown in whole seconds.
    const pause = `${retryAfter < 10 ? retryAfter : Math.ceil(retryAfter)} s`;
    const message = `Every key is limited. The first to be available is ${label(index)}, in ${pause}: ${redact(error.message)}`;
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
      const asked = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
      const time = error.retryable ? (asked ?? rest) : Math.max(asked ?? 0, quotaRest);
      const until = clock() + time;
      // A request that began before the key rested may fail later, with a shorter rest: the longer rest stands.
      if (until >= (limited.get(index)?.until ?? 0)) limited.set(index, { until, error });
    },
    isResting,
    label,
  };
}

/** A timer may fire a millisecond early; a caller that waited for it must find the key available. */
const timerTolerance = 1;
