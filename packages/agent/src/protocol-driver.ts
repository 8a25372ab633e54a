import {
  createParser,
  type FinishReason,
  type ParserEvent,
  protocolPrompt,
  toMessages,
  type Usage,
} from "@cogency/protocol";
import { estimateUsage, generate, type ModelEvent, type ModelRequest } from "@cogency/provider";
import type { Driver, StepContext, StepEvent } from "./driver.ts";
import { createReasoning, type Reasoning } from "./reasoning.ts";

export interface ProtocolDriverOptions {
  /** How calls are written; `"json"` by default. */
  dialect?: "json" | undefined;
  /**
   * Milliseconds that the provider gets to finish by itself after the block has closed, so that usage is exact
   * (protocol.md P5). 200 by default.
   */
  grace?: number | undefined;
}

/** The text protocol: any model that writes text can use tools. */
export function protocolDriver({ dialect = "json", grace = 200 }: ProtocolDriverOptions = {}): Driver {
  return {
    name: "protocol",
    batch: { mode: "parallel", coerce: "json" },

    async *step(context: StepContext): AsyncGenerator<StepEvent> {
      const { log, system, tools, signal } = context;
      const request: ModelRequest = {
        ...context.request,
        system: [system, protocolPrompt(tools, { dialect })].filter((part) => part !== "").join("\n\n"),
        messages: toMessages(log, { form: dialect }),
      };
      const cut = new AbortController();
      const parser = createParser({ dialect });
      const reasoning = createReasoning();
      let graceTimer: ReturnType<typeof setTimeout> | undefined;
      let finish: FinishReason = "stop";
      let usage: Usage | undefined;
      let output = "";

      try {
        for await (const event of answers(context, request, AbortSignal.any([signal, cut.signal]))) {
          switch (event.type) {
            case "text": {
              output += event.text;
              const ignored = parser.ignored;
              for (const parsed of parser.write(event.text)) yield stepEvent(parsed, output, reasoning);
              // Only white space may follow the end of a turn; more is the model running on.
              const extra = event.text.slice(event.text.length - (parser.ignored - ignored));
              if (parser.done && extra.trim() !== "") cut.abort();
              else if (parser.done) graceTimer ??= setTimeout(() => cut.abort(), grace);
              break;
            }
            case "reasoning":
              output += event.text;
              if (!parser.done) yield* reasoning.write(event.text);
              break;
            case "usage":
              usage = event.usage;
              break;
            case "finish":
              finish = event.reason;
              break;
          }
        }
      } catch (error) {
        // What was held back is kept; a block that broke off with the connection is not the model's mistake.
        for (const parsed of parser.end("other")) {
          if (parsed.type === "think" || parsed.type === "respond") yield reasoning.besideText(parsed);
        }
        throw error;
      } finally {
        clearTimeout(graceTimer);
      }

      for (const parsed of parser.end(finish)) yield stepEvent(parsed, output, reasoning);
      yield { type: "usage", usage: usage ?? estimateUsage(request, output) };
      yield { type: "finish", reason: cut.signal.aborted ? "stop" : finish };
    },
  };
}

function stepEvent(event: ParserEvent, output: string, reasoning: Reasoning): StepEvent {
  switch (event.type) {
    case "think":
    case "respond":
      return reasoning.besideText(event);
    case "error": {
      const start = Math.max(
        output.lastIndexOf("<execute>", event.position),
        output.lastIndexOf("<results>", event.position),
      );
      return { type: "refused", error: event, text: output.slice(Math.max(0, start)) };
    }
    case "result":
      throw new TypeError("A parser that forbids results has made one.");
    default:
      return event;
  }
}

async function* answers(
  { provider, stream }: StepContext,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (stream === null) yield* await generate(provider, request, { signal });
  else yield* provider.stream(request, { signal });
}
