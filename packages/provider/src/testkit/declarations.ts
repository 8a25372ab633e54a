import { cases } from "./cases/cases.ts";
import type { Declarations } from "./harness.ts";
import type { ProviderCase } from "./provider-case.ts";

/** For a provider that answers by itself. */
export const withoutWire = declare(({ on }) => on === "wire", "it speaks to no server");

/** For a provider that cannot be made to say a given thing. */
export const withoutReply = declare(({ needs }) => !!needs?.includes("reply"), "what it says cannot be given");

export const withoutTools = declare(({ needs }) => !!needs?.includes("tools"), "it has no native tools");

export const withoutReasoning = declare(
  ({ needs }) => !!needs?.includes("reasoning"),
  "it does not tell reasoning apart from text",
);

/** For a provider that cannot hold an answer to a JSON Schema. */
export const withoutFormat = declare(({ needs }) => !!needs?.includes("format"), "it cannot constrain the output");

/** For a wire that is not one of server-sent events. */
export const withoutEventStream = declare(
  ({ needs }) => !!needs?.includes("event_stream"),
  "its wire is no event stream",
);

/** For a wire that breaks off when it fails. */
export const withoutFailure = declare(
  ({ needs }) => !!needs?.includes("failure"),
  "its wire tells no failure in an answer",
);

/** For a server that wants nothing of an answer back but its text, its calls and their results. */
export const withoutNative = declare(({ needs }) => !!needs?.includes("native"), "its server wants nothing else back");

function declare(applies: (one: ProviderCase) => boolean, reason: string): Declarations {
  return Object.fromEntries(cases.filter(applies).map(({ name }) => [name, reason]));
}
