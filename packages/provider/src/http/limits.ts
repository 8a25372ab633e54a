import { ProviderError } from "../errors.ts";

/** How much of an answer is taken before it is refused with `answer_too_large`. `Infinity` takes everything. */
export interface Limits {
  /** Bytes of the body of an answer, as they are after decompression; 134,217,728 (128 MiB) by default. */
  answerBytes?: number | undefined;
  /** Bytes of the body of a refusal, as they are after decompression; 1,048,576 (1 MiB) by default. */
  errorBytes?: number | undefined;
  /**
   * Bytes of one event: of a server-sent event, a line, or a message of a WebSocket; 8,388,608 (8 MiB) by default. A value
   * of its JSON counts as 16 bytes at least.
   */
  eventBytes?: number | undefined;
  /**
   * Characters (UTF-16 code units) of one answer: its text, its reasoning, the arguments of its calls and the blocks that
   * are kept to be sent back, together; 8,000,000 by default.
   */
  answerCharacters?: number | undefined;
  /** Calls of tools in one answer; 1,000 by default. */
  calls?: number | undefined;
  /** Blocks, items, citations and the like that an answer is made of; 10,000 by default. */
  blocks?: number | undefined;
  /** How deep the JSON of one event may be nested; 500 by default. */
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

/**
 * Every limit, with its default where none is given.
 *
 * @throws RangeError if one is not more than 0
 */
export function completeLimits(limits: Limits = {}): CompleteLimits {
  const complete = { ...defaults };
  for (const name of Object.keys(defaults) as LimitName[]) {
    const limit = limits[name];
    if (limit === undefined) continue;
    if (!(limit > 0)) throw new RangeError(`The limit \`${name}\` is ${limit}: it must be a number above 0.`);
    complete[name] = limit;
  }
  return complete;
}

/**
 * The error of an answer that exceeds a limit. The same request would most likely exceed it again, so it is not
 * retryable.
 *
 * @param status of the answer, if its body was a refusal
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
