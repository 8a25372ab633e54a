import type { Json } from "@cogency/protocol";
import type { AttachedValue } from "@cogency/tools";
import { McpError } from "../errors.ts";
import type { InputRounds } from "../questions/input-rounds.ts";
import { isPlain } from "../questions/quoted.ts";
import type { Sampling } from "../sampling/sampler.ts";
import type { ServerLink } from "../server-link.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { longestAddress } from "./list-resources.ts";
import { resourceValue } from "./resource-value.ts";

export interface Reading {
  readonly signal: AbortSignal;
  /** The questions that the server may ask first, and the call whose person answers them. */
  readonly rounds: InputRounds;
  readonly context?: Sampling["context"];
}

/**
 * Reads a resource of a server.
 *
 * @throws McpError; the reason of the signal
 */
export async function readResource(
  link: ServerLink,
  uri: string,
  { signal, rounds, context }: Reading,
): Promise<AttachedValue<Json>> {
  const { server } = link;
  if (uri === "" || uri.length > longestAddress || !isPlain(uri)) {
    throw new McpError("not_found", server, `The server ${server} has no resource of that address.`);
  }
  const client = await link.connected(signal);
  const timeout = link.options.timeouts?.call ?? 60_000;
  try {
    const result = await rounds.send(
      (answered) =>
        client.readResource({ uri, ...answered }, { signal, timeout, cacheMode: "bypass", allowInputRequired: true }),
      context,
      signal,
    );
    return resourceValue(
      server,
      uri,
      hiddenIn(result.contents as Json, (text) => link.hide(text)) as typeof result.contents,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw link.problem(error);
  }
}
