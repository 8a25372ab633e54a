import { above, callback, either, flag, group, listOf, name, recordOf, text } from "@cogency/protocol/options";
import type { Limits } from "./limits.ts";
import type { Timeouts } from "./timeouts.ts";

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

const time = above(0, "milliseconds");

/** The kind of the option `timeouts` of a provider. */
export const timeoutsKind = group<Timeouts>({ connect: time, firstByte: time, idle: time, total: time });

/** The kinds of the options that every provider over HTTP has. */
export const connectionKinds = {
  apiKey: either(text, listOf(text, "an array of strings")),
  model: name,
  baseURL: text,
  headers: recordOf(text),
  allowInsecure: flag,
  timeouts: timeoutsKind,
  limits: limitsKind,
  fetch: callback,
};
