import type { ModelMessage, Usage } from "@cogency/protocol";
import { estimateUsage, type ModelRequest } from "@cogency/provider";

/** What is measured of a request. */
type Measured = Pick<ModelRequest, "system" | "messages" | "tools" | "format">;

/**
 * Tokens of the requests of a run. What the provider has counted is known; what came since is estimated, and so is the first request:
 * system prompt, tools, the format of the answer, and each message with its calls, results and attachments. A message that the request
 * before had already is not read again.
 */
export class RequestSize {
  /** How many messages were read that later requests begin with, if they begin alike. */
  #count = 0;
  /** The last of them. */
  #last: ModelMessage | undefined;
  /** The estimated tokens of these messages. */
  #tokens = 0;
  /** What was measured last that is in every request, with its estimated tokens. */
  #fixed: (Omit<Measured, "messages"> & { tokens: number }) | undefined;
  /** The tokens that the provider counted of the last request, less those that were estimated. */
  #error = 0;
  /** How many messages that request had. */
  #counted = 0;

  /** The tokens of a request, as input, cached input included. */
  of(request: Measured): number {
    return Math.max(0, this.#estimate(request) + this.#error);
  }

  /** The tokens of what every request of the conversation holds, whatever its messages are: system prompt, tools and format. */
  ofFixed({ system, tools, format }: Omit<Measured, "messages">): number {
    const fixed = this.#fixed;
    if (fixed?.system === system && fixed.tools === tools && fixed.format === format) return fixed.tokens;
    // A schema is read as the model's server writes it into the prompt: as text.
    const text = system + (format ? JSON.stringify(format) : "");
    const tokens = estimateUsage({ system: text, messages: [], ...(tools && { tools }) }, "").input;
    this.#fixed = { system, ...(tools && { tools }), ...(format && { format }), tokens };
    return tokens;
  }

  /**
   * The provider has answered the request and counted its tokens. Estimated usage tells nothing new, and neither does that of a refused
   * request, which has none.
   */
  answered(request: Measured, { input, cacheRead, cacheWrite, estimated }: Usage): void {
    const counted = input + cacheRead + cacheWrite;
    if (estimated || counted === 0) return;
    this.#error = counted - this.#estimate(request);
    this.#counted = request.messages.length;
  }

  #estimate(request: Measured): number {
    const { messages } = request;
    // Messages of turns that are over are the same objects in every request (see `Assembler`).
    if (messages[this.#count - 1] !== this.#last) {
      [this.#count, this.#last, this.#tokens] = [0, undefined, 0];
      // Another beginning: what the provider counted was of other messages.
      this.#error = 0;
    }
    // A summary stands for some of those that the provider counted.
    if (messages.length < this.#counted) [this.#error, this.#counted] = [0, 0];
    const lasting = Math.max(this.#count, messages.length - longestTurn);
    this.#tokens += estimateOfMessages(messages.slice(this.#count, lasting));
    [this.#count, this.#last] = [lasting, messages[lasting - 1]];
    return this.ofFixed(request) + this.#tokens + estimateOfMessages(messages.slice(lasting));
  }
}

/** Messages at the end of a request that may be made anew for the next one. Of a turn that has more, all messages are read again. */
const longestTurn = 4;

function estimateOfMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateUsage({ system: "", messages: [message] }, "").input, 0);
}
