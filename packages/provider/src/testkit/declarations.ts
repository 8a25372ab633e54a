import { cases } from "./cases/cases.ts";
import type { Declarations } from "./harness.ts";
import type { ProviderCase } from "./provider-case.ts";

/** For a provider that answers by itself, without a server. */
export const withoutWire = declare(({ on }) => on === "wire", "it speaks to no server");

/** For a provider that cannot be made to give a certain reply. */
export const withoutReply = declare(({ needs }) => !!needs?.includes("reply"), "its reply cannot be chosen");

export const withoutTools = declare(({ needs }) => !!needs?.includes("tools"), "it has no native tools");

export const withoutReasoning = declare(
  ({ needs }) => !!needs?.includes("reasoning"),
  "it does not separate reasoning from text",
);

/** For a provider that cannot constrain an answer to a JSON Schema. */
export const withoutFormat = declare(({ needs }) => !!needs?.includes("format"), "it cannot constrain the output");

/** For a wire without server-sent events. */
export const withoutEventStream = declare(
  ({ needs }) => !!needs?.includes("event_stream"),
  "its wire is not an event stream",
);

/** For a wire that cannot report a failure in the middle of an answer. */
export const withoutFailure = declare(
  ({ needs }) => !!needs?.includes("failure"),
  "its wire cannot report a failure in an answer",
);

/** For a server that wants only text, calls and results back with later requests. */
export const withoutNative = declare(({ needs }) => !!needs?.includes("native"), "its server wants nothing else back");

function declare(applies: (one: ProviderCase) => boolean, reason: string): Declarations {
  return Object.fromEntries(cases.filter(applies).map(({ name }) => [name, reason]));
}
