import type { Json } from "@cogency/protocol";
import type { ToolContext } from "@cogency/tools";
import {
  type Client,
  type ClientCapabilities,
  ProtocolError,
  type ProtocolErrorCode,
  RELATED_TASK_META_KEY,
} from "@modelcontextprotocol/client";
import type { McpRoot } from "../mcp-options.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { ServerLink } from "../server-link.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { type Addresses, createAddresses } from "./addresses.ts";
import { answerElicitation } from "./elicitation.ts";
import { fieldsOf } from "./fields-of.ts";
import { type InputRounds, inputRounds } from "./input-rounds.ts";

/** Which requests of servers are answered. */
export interface AnsweringOptions {
  /** Whether servers may ask the person. Defaults to true. */
  readonly elicitation?: boolean | undefined;
  /** Asks a model for servers; one for all of them. Without it they cannot. */
  readonly sampler?: Sampler | undefined;
  readonly roots?: readonly McpRoot[] | undefined;
  /** Called with a sentence about each request that was not answered. */
  readonly log?: ((text: string) => void) | undefined;
}

/** What a client declares with these options. */
export function capabilitiesFor({ elicitation = true, sampler, roots }: AnsweringOptions): ClientCapabilities {
  return {
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(sampler && { sampling: {} }),
    ...(roots && { roots: { listChanged: true } }),
  };
}

/**
 * Answers what a server asks in the middle of a call. Called before the client connects.
 *
 * Up to the revision 2025-11-25 a server sends requests. One that names a task belongs to its call; others name no call, and are put in
 * the oldest one of the server. From 2026-07-28 on they stand in the answer to the call itself, which `InputRounds.send` reads.
 */
export function answerRequests(client: Client, link: ServerLink, options: AnsweringOptions): InputRounds {
  const { elicitation = true, sampler, log = () => {} } = options;
  const { server } = link;
  /** What was asked, without secrets of the host: it is shown and kept. */
  const hidden = (params: unknown) => hiddenIn(params as Json, (text) => link.hide(text));
  const addresses: Addresses = createAddresses();
  if (elicitation) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      try {
        return await answerElicitation(hidden(params), { server, context: callOf(link, params), log });
      } catch {
        // The call was left or cancelled.
        return { action: "cancel" };
      }
    });
    client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
      addresses.complete(params.elicitationId);
    });
  }
  if (sampler) {
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      const sampled = await sampler
        .answer(hidden(params), { server, context: callOf(link, params), log })
        .catch(() => undefined);
      if (sampled && "result" in sampled) return sampled.result;
      throw new ProtocolError(rejected, sampled?.refused ?? "The request was cancelled.");
    });
  }
  return inputRounds({ server, elicitation, sampler, roots: options.roots, log, addresses, hidden });
}

/** The call that a request of a server belongs to. */
function callOf({ inFlight }: ServerLink, params: unknown): ToolContext | undefined {
  const task = fieldsOf(fieldsOf(fieldsOf(params)._meta)[RELATED_TASK_META_KEY]).taskId;
  const call = task === undefined ? inFlight[0] : inFlight.find((one) => one.task === task);
  return call?.context;
}

/** What the specification has for a person who rejects a request for sampling. */
const rejected = -1 as ProtocolErrorCode;
