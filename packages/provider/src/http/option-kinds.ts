import { callback, either, flag, listOf, name, recordOf, text } from "@cogency/protocol/options";
import { limitsKind } from "./limits.ts";
import { timeoutsKind } from "./timeouts.ts";

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
