import { above, checkOption, group } from "@cogency/protocol/options";
import { ProviderError } from "../errors.ts";

/**
 * The largest sizes of an answer that are accepted; beyond them the error is `answer_too_large`. `Infinity` is no limit.
 * Enforced in `fetch/create-fetch.ts` (bytes of a body), `answer/read-events.ts` (one event), `answer/parse-json.ts` (depth)
 * and `answer/answer-meter.ts` (the others).
 */
export interface Limits {
  /** Bytes of the body of an answer, after decompression. Defaults to 134,217,728 (128 MiB). */
  answerBytes?: number | undefined;
  /** Bytes of the body of a refusal, after decompression. Defaults to 1,048,576 (1 MiB). */
  errorBytes?: number | undefined;
  /**
   * Bytes of one event: a server-sent event, a line, or a message of a WebSocket. Each value of its JSON counts as at least
   * 16 bytes. Defaults to 8,388,608 (8 MiB).
   */
  eventBytes?: number | undefined;
  /**
   * Characters (UTF-16 code units) of one answer: the sum of its text, its reasoning, the arguments of its calls and the
   * blocks that are kept to be sent back. Defaults to 8,000,000.
   */
  answerCharacters?: number | undefined;
  /** Tool calls in one answer. Defaults to 1,000. */
  calls?: number | undefined;
  /** Blocks, items, citations and the like in one answer. Defaults to 10,000. */
  blocks?: number | undefined;
  /** Levels of nesting in the JSON of one event. Defaults to 500. */
  depth?: number | undefined;
}

export type LimitName = keyof Limits;

export type CompleteLimits = { readonly [Name in LimitName]-?: number };

const defaults: CompleteLimits = {
  answerBytes: 128 * 2 ** 20,
  errorBytes: 2 ** 20,
  eventBytes: 8 * 2 ** 20,
  answerCharacters: 8_000_000,
  calls: 1_000,
  blocks: 10_000,
  depth: 500,
};

const limit = above(0);

/** The kind of the option `limits` of a provider. */
export const limitsKind = group<Limits>({
  answerBytes: limit,
  errorBytes: limit,
  eventBytes: limit,
  answerCharacters: limit,
  calls: limit,
  blocks: limit,
  depth: limit,
});

/**
 * The given limits, completed with the defaults.
 *
 * @throws TypeError for an unknown limit and one that is no number, RangeError if one is not greater than 0
 */
export function completeLimits(limits: Limits = {}): CompleteLimits {
  checkOption("completeLimits", "limits", limits, limitsKind);
  const complete = { ...defaults };
  for (const name of Object.keys(defaults) as LimitName[]) complete[name] = limits[name] ?? defaults[name];
  return complete;
}

/**
 * The error of an answer that exceeds a limit. It is not retryable, because the same request would most likely exceed the
 * limit again.
 *
 * @param status the HTTP status, if the answer was a refusal
 */
export function answerTooLarge(host: string, name: LimitName, limits: CompleteLimits, status?: number): ProviderError {
  const limit = limits[name].toLocaleString("en-US");
  const refusal = status === undefined ? "" : ` (HTTP ${status})`;
  const message = `${host} exceeded the limit of ${limit} ${units[name]}${refusal}. The rest was not read. If the server is right, raise \`limits.${name}\`.`;
  return new ProviderError("answer_too_large", message, { status });
}

const units: Readonly<Record<LimitName, string>> = {
  answerBytes: "bytes in one answer",
  errorBytes: "bytes in the body of a refusal",
  eventBytes: "bytes in one event",
  answerCharacters: "characters in one answer",
  calls: "tool calls in one answer",
  blocks: "blocks in one answer",
  depth: "levels of nesting in one event",
};
