import { type ParseOptions, parserFor } from "./parse.ts";
import type { ParserEvent } from "./parser.ts";

/**
 * A parser as a stream, from text to the token view. Once the parser is done, the stream ends and cancels the source that
 * is piped into it (protocol.md P5). The constructor throws as `createParser` does.
 */
export const ParserStream: new (options?: ParseOptions) => ParserStream = /* @__PURE__ */ defineStream();

export type ParserStream = TransformStream<string, ParserEvent>;

/** Bundlers keep every class that extends a global, but drop the unused result of a pure call. */
function defineStream() {
  return class ParserStream extends TransformStream<string, ParserEvent> {
    constructor(options: ParseOptions = {}) {
      const parser = parserFor("ParserStream", options);
      super({
        transform(chunk, controller) {
          for (const event of parser.write(chunk)) controller.enqueue(event);
          if (parser.done) controller.terminate();
        },
        flush(controller) {
          for (const event of parser.end(options.finish?.())) controller.enqueue(event);
        },
      });
    }
  };
}
