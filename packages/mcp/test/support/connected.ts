import { type AnsweringOptions, answerRequests, capabilitiesFor } from "../../src/client/questions/answer-requests.ts";
import type { InputRounds } from "../../src/client/questions/input-rounds.ts";
import type { ServerLink } from "../../src/client/server-link.ts";
import { linkTo } from "./link.ts";
import { connectRaw, type Handler, type Revision } from "./raw-server.ts";

/** A server that answers by hand, connected, as the rooms see it. */
export async function connected(
  handle: Handler,
  {
    revision = "2025-11-25",
    answering = {},
    ...parts
  }: Partial<ServerLink> & { revision?: Revision; answering?: AnsweringOptions } = {},
) {
  const link = linkTo(() => client, parts);
  let rounds: InputRounds | undefined;
  const client = await connectRaw(
    handle,
    (prepared) => {
      rounds = answerRequests(prepared, link, answering);
    },
    { revision, capabilities: capabilitiesFor(answering) },
  );
  return { client, link, rounds: rounds as InputRounds };
}

export const limits = { items: 1000, description: 4000, timeout: 5000, hide: (text: string) => text };

/** What every result of 2026-07-28 that may be cached has. */
export const fresh = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
