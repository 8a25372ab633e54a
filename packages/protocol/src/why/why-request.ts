import { checkOptions, listOf, type OptionTable, object } from "../options/index.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import { type PrefixBreak, prefixBreak } from "./prefix-break.ts";
import { type RequestPart, requestParts } from "./request-parts.ts";
import { sentRequest } from "./sent-request.ts";
import type { SystemSection } from "./system-sections.ts";

export interface WhyOptions {
  /** Parts of the system prompt that the caller knows by their texts, or by how they begin. Defaults to none. */
  readonly sections?: readonly SystemSection[] | undefined;
}

/** A request, what each part of it was made from, and how it begins compared with the one before. */
export interface WhyRequest {
  readonly seq: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly driver: string;
  readonly provider: string;
  readonly model: string;
  /** In the order in which servers read them. */
  readonly parts: readonly RequestPart[];
  /** Whether the log holds its messages; false if a driver, a view or a hook made others. */
  readonly hasMessages: boolean;
  /** The ids of calls that its messages leave out, because later ones stand for them. */
  readonly leftOut: readonly string[];
  readonly prefix: PrefixBreak;
}

/**
 * Says why a request was what it was. Undefined if there is no record of a request with this number. A log from elsewhere may hold
 * anything.
 *
 * @param log all events of the conversation, in order
 * @throws TypeError with the code `invalid_option` for wrong options
 */
export function whyRequest(
  log: readonly NumberedEvent[],
  seq: number,
  options: WhyOptions = {},
): WhyRequest | undefined {
  checkOptions("whyRequest", options, whyTable);
  const { sections = [] } = options;
  const request = sentRequest(log, seq);
  const prefix = prefixBreak(log, seq, sections);
  if (!request || !prefix) return undefined;
  const { driver, provider, model } = request.data;
  return {
    seq,
    timestamp: request.timestamp,
    driver: String(driver),
    provider: String(provider),
    model: String(model),
    parts: requestParts(request, log, sections),
    hasMessages: request.messages !== undefined,
    leftOut: request.without,
    prefix,
  };
}

const whyTable = {
  sections: /* @__PURE__ */ listOf(object, "an array of sections"),
} satisfies OptionTable<WhyOptions>;
