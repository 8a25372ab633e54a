import type { ModelMessage, ToolSpec, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelRequest } from "@cogency/provider";

/** What is measured of a request. */
type Measured = Pick<ModelRequest, "system" | "messages" | "tools">;

/**
 * Tokens of the requests of a run. What the provider has counted is known; what came since is estimated. A message that the
 * request before had already is not read again.
 */
export class RequestSize {
  /** How many messages were read that later requests begin with, if they begin alike. */
  #count = 0;
  /** The last of them. */
  #last: ModelMessage | undefined;
  /** The estimated tokens of these messages. */
  #tokens = 0;
  /** The system prompt and tools that were measured last, with their estimated tokens. */
  #fixed: { system: string; tools: readonly ToolSpec[] | undefined; tokens: number } | undefined;
  /** The tokens that the provider counted of the last request, less those that were estimated. */
  #error = 0;

  /** The tokens of a request, as input, cached input included. */
  of(request: Measured): number {
    return Math.max(0, this.#estimate(request) + this.#error);
  }

  /** The tokens of what every request of the conversation begins with, whatever its messages are: the system prompt and tools. */
  ofFixed({ system, tools }: Pick<ModelRequest, "system" | "tools">): number {
    if (this.#fixed?.system !== system || this.#fixed.tools !== tools) {
      const tokens = estimateUsage({ system, messages: [], ...(tools && { tools }) }, "").input;
      this.#fixed = { system, tools, tokens };
    }
    return this.#fixed.tokens;
  }

  /** The provider has answered the request and counted its tokens. Estimated usage tells nothing new. */
  answered(request: Measured, { input, cacheRead, cacheWrite, estimated }: Usage): void {
    if (estimated) return;
    this.#error = input + cacheRead + cacheWrite - this.#estimate(request);
  }

  #estimate(request: Measured): number {
    const { messages } = request;
    // Messages of turns that are over are the same objects in every request (see `Assembler`).
    if (messages[this.#count - 1] !== this.#last) {
      [this.#count, this.#last, this.#tokens] = [0, undefined, 0];
      // Another beginning: what the provider counted was of other messages.
      this.#error = 0;
    }
    const lasting = Math.max(this.#count, messages.length - longestTurn);
    this.#tokens += tokensOf(messages.slice(this.#count, lasting));
    [this.#count, this.#last] = [lasting, messages[lasting - 1]];
    return this.ofFixed(request) + this.#tokens + tokensOf(messages.slice(lasting));
  }
}

/** Messages at the end of a request that may be made anew for the next one. Of a turn that has more, all messages are read again. */
const longestTurn = 4;

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateUsage({ system: "", messages: [message] }, "").input, 0);
}
