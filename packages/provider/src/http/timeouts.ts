import { above, checkOption, group } from "@cogency/protocol/options";

/** Time limits, in milliseconds. `Infinity` is no limit. */
export interface Timeouts {
  /**
   * Until the connection is established. Defaults to 10,000. Applies in Node only, and only with Node's own global
   * dispatcher; elsewhere `firstByte` includes it.
   */
  connect?: number | undefined;
  /** From the request to the first byte of the answer's body. Defaults to 600,000: a local model may think for minutes. */
  firstByte?: number | undefined;
  /** Between two bytes of the body, of any kind. Time in which nobody reads does not count. Defaults to 300,000. */
  idle?: number | undefined;
  /** From the request to the end of the answer. Defaults to no limit. */
  total?: number | undefined;
}

export type CompleteTimeouts = { [Name in keyof Timeouts]-?: number };

const defaults: CompleteTimeouts = {
  connect: 10_000,
  firstByte: 600_000,
  idle: 300_000,
  total: Number.POSITIVE_INFINITY,
};

const time = above(0, "milliseconds");

/** The kind of the option `timeouts` of a provider. */
export const timeoutsKind = group<Timeouts>({ connect: time, firstByte: time, idle: time, total: time });

/**
 * The given limits, completed with the defaults.
 *
 * @throws TypeError for an unknown time limit and one that is no number, RangeError if one is not greater than 0
 */
export function completeTimeouts(timeouts: Timeouts = {}): CompleteTimeouts {
  checkOption("completeTimeouts", "timeouts", timeouts, timeoutsKind);
  const complete = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof CompleteTimeouts)[])
    complete[name] = timeouts[name] ?? defaults[name];
  return complete;
}

/** A time limit as text, for messages: `30 s`, `250 ms`. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}
