import { declareCases } from "@cogency/protocol/testkit";
import { allCases } from "./cases/all-cases.ts";

/** For a provider that answers by itself, without a server. */
export const withoutWire = declareCases(allCases, ({ on }) => on === "wire", "it speaks to no server");

/** For a provider that cannot be made to give a certain reply. */
export const withoutReply = declareCases(allCases, "reply", "its reply cannot be chosen");

export const withoutTools = declareCases(allCases, "tools", "it has no native tools");

export const withoutReasoning = declareCases(allCases, "reasoning", "it does not separate reasoning from text");

/** For a provider whose models have no levels of thinking. */
export const withoutThinking = declareCases(allCases, "thinking", "its models have no levels of thinking");

/** For a provider that cannot constrain an answer to a JSON Schema. */
export const withoutFormat = declareCases(allCases, "format", "it cannot constrain the output");

/** For a provider whose messages hold text alone. */
export const withoutAttachments = declareCases(allCases, "attachments", "it takes no attachments");

/** For a wire without server-sent events. */
export const withoutEventStream = declareCases(allCases, "event_stream", "its wire is not an event stream");

/** For a wire that cannot report a failure in the middle of an answer. */
export const withoutFailure = declareCases(allCases, "failure", "its wire cannot report a failure in an answer");

/** For a server that wants only text, calls and results back with later requests. */
export const withoutNative = declareCases(allCases, "native", "its server wants nothing else back");
