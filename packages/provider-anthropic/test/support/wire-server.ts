import type Anthropic from "@anthropic-ai/sdk";
import * as loopback from "@tooling/loopback";

export type WireRequest = loopback.WireRequest<Anthropic.MessageCreateParamsStreaming>;

/** A server on loopback whose requests are those of the Messages API. */
export const wireServer = loopback.wireServer<Anthropic.MessageCreateParamsStreaming>;
