import type * as Protocol from "@cogency/protocol";
import type * as Host from "@cogency/protocol/host";
import { Consumer } from "./consumer.ts";
import { asynchronous, streamOf } from "./floors.ts";
import type { Found, Input } from "./input.ts";

/** A build of this package, perhaps an older one. */
export interface Build extends Pick<typeof Protocol, "createParser" | "parse" | "toMessages"> {
  createSettler: typeof Host.createSettler;
  createAssembler?: typeof Protocol.createAssembler;
  ParserStream?: new (options: Protocol.ParserOptions) => TransformStream<string, Protocol.ParserEvent>;
}

/** The entry points of a build, each run on a whole transcript. */
export function ours({ createParser, createSettler, parse, ParserStream }: Build) {
  return {
    parser({ chunks, dialect }: Input): Found {
      const consumer = new Consumer();
      const parser = createParser({ dialect });
      for (const chunk of chunks) for (const event of parser.write(chunk)) consumer.take(event);
      for (const event of parser.end()) consumer.take(event);
      return { calls: consumer.calls, parser };
    },
    settled({ chunks, dialect }: Input): Found {
      const consumer = new Consumer();
      const parser = createParser({ dialect });
      const settler = createSettler();
      for (const chunk of chunks) {
        for (const event of parser.write(chunk)) for (const settled of settler.write(event)) consumer.take(settled);
      }
      for (const event of parser.end()) for (const settled of settler.write(event)) consumer.take(settled);
      for (const settled of settler.end()) consumer.take(settled);
      return { calls: consumer.calls, parser, settler };
    },
    async parse({ chunks, dialect }: Input): Promise<Found> {
      const consumer = new Consumer();
      for await (const event of parse(asynchronous(chunks), { dialect })) consumer.take(event);
      return { calls: consumer.calls };
    },
    stream: ParserStream && {
      async run({ chunks, dialect }: Input): Promise<Found> {
        const consumer = new Consumer();
        const reader = streamOf(chunks).pipeThrough(new ParserStream({ dialect })).getReader();
        for (let next = await reader.read(); !next.done; next = await reader.read()) consumer.take(next.value);
        return { calls: consumer.calls };
      },
    },
  };
}
