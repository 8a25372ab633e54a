/** How long to wait for a server, in milliseconds. `Infinity` waits for ever. */
export interface Timeouts {
  /**
   * Until the connection stands; 10,000 by default. It is told apart from `firstByte` in Node only, and only while its
   * global dispatcher is its own.
   */
  connect?: number | undefined;
  /** From the request to the first byte of the answer's body; 600,000 by default: a model at home may think for minutes. */
  firstByte?: number | undefined;
  /** Without a byte of the body, of whatever kind; 300,000 by default. Time in which nobody reads does not count. */
  idle?: number | undefined;
  /** From the request to the end of the answer; no limit by default. */
  total?: number | undefined;
}

export type CompleteTimeouts = { [Name in keyof Timeouts]-?: number };

const defaults: CompleteTimeouts = {
  connect: 10_000,
  firstByte: 600_000,
  idle: 300_000,
  total: Number.POSITIVE_INFINITY,
};

/**
 * Every limit, with its default where none is given.
 *
 * @throws RangeError if one is not more than 0
 */
export function completeTimeouts(timeouts: Timeouts = {}): CompleteTimeouts {
  const complete = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof CompleteTimeouts)[]) {
    const limit = timeouts[name];
    if (limit === undefined) continue;
    if (!(limit > 0))
      throw new RangeError(`The timeout \`${name}\` is ${limit}: it is a number of milliseconds above 0.`);
    complete[name] = limit;
  }
  return complete;
}

/** A limit in words, for messages: `30 s`, `250 ms`. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}
