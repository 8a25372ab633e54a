import type { ModelEvent, ModelRequest, StreamOptions } from "@cogency/provider";

/** `Provider.stream` of one wire; the contract is there. */
export type StreamFunction = (request: ModelRequest, options?: StreamOptions) => AsyncGenerator<ModelEvent>;
