import {
  createParser,
  type ErrorEvent,
  type FinishReason,
  type Parser,
  type ParserEvent,
  protocolPrompt,
  type ToolSpec,
} from "@cogency/protocol";
import type { TurnLanguage } from "@cogency/protocol/grammar";
import { atLeast, checkOptions, flag, type OptionTable, oneOf } from "@cogency/protocol/options";
import type { ModelRequest } from "@cogency/provider";
import { AnswerReading } from "./answer-reading.ts";
import type { Driver, ReadingEnd, StepContext, StepEvent } from "./driver.ts";
import { nearMissIn } from "./near-miss.ts";
import { createReasoning, type Reasoning } from "./reasoning.ts";

export interface ProtocolDriverOptions {
  /**
   * The dialect in which the model writes calls: `"json"`, the default, or `"xml"`, whose calls run one after another, and whose
   * values are read as the tool's schema demands. A conversation may change it at any turn.
   */
  dialect?: "json" | "xml" | undefined;
  /**
   * Milliseconds that the provider has to finish by itself after the block has closed (protocol.md P5). After that its
   * request is aborted, and usage is estimated. Defaults to 200.
   */
  grace?: number | undefined;
  /**
   * Runs blocks too that a lossless repair of protocol.md §2 makes valid, such as one with a raw line break in a string.
   * Otherwise such a block is refused, and the model writes it again. Defaults to false.
   */
  repair?: boolean | undefined;
  /**
   * `"think"` for servers whose chat template opens the think block, so that the answer begins inside of thinking. Text
   * before `</think>` is then thinking. Defaults to `"text"`.
   */
  startIn?: "text" | "think" | undefined;
  /**
   * Whether a run with `stream: "token"` yields the arguments of calls as they are written, as `call_delta` events. Defaults to
   * false.
   */
  callDeltas?: boolean | undefined;
  /**
   * Whether a model that can be bound to a language (`capabilities.grammar`) is bound to that of the protocol, so that no block is
   * malformed, and its arguments fit. Defaults to true. An answer with a format, and one in XML of an agent that finds tools, is not
   * bound.
   */
  grammar?: boolean | undefined;
}

const protocolTable: OptionTable<ProtocolDriverOptions> = {
  dialect: oneOf("json", "xml"),
  grace: atLeast(0, "milliseconds"),
  repair: flag,
  startIn: oneOf("text", "think"),
  callDeltas: flag,
  grammar: flag,
};

/**
 * The driver of the text protocol: any model that writes text can call tools.
 */
export function protocolDriver(options: ProtocolDriverOptions = {}): Driver {
  checkOptions<ProtocolDriverOptions>("protocolDriver", options, protocolTable);
  const { dialect = "json", grace = 200, repair, startIn, callDeltas = false, grammar = true } = options;
  /** The system prompt of each agent: its tools are the same array in every step. */
  const prompts = new WeakMap<readonly ToolSpec[], { system: string; prompt: string }>();
  const promptOf = ({ system, tools }: StepContext): string => {
    const known = prompts.get(tools);
    if (known?.system === system) return known.prompt;
    const prompt = [system, protocolPrompt(tools, { dialect })].filter((part) => part !== "").join("\n\n");
    prompts.set(tools, { system, prompt });
    return prompt;
  };
  /** The languages of the answers, kept because providers keep what they make of one. */
  const languages = new WeakMap<readonly ToolSpec[], { [hasOthers: string]: TurnLanguage }>();
  const languageOf = ({ tools, findsTools = false }: StepContext): TurnLanguage => {
    const known = languages.get(tools) ?? {};
    languages.set(tools, known);
    known[`${findsTools}`] ??= { tools, dialect, startIn, hasOthers: findsTools };
    return known[`${findsTools}`] as TurnLanguage;
  };
  const isBound = ({ provider, request, findsTools }: StepContext): boolean => {
    // No grammar says of an XML element of any name that its two tags agree.
    const isWritable = dialect === "json" || !findsTools;
    return grammar && provider.capabilities.grammar === true && request.format === undefined && isWritable;
  };
  return {
    name: "protocol",
    callDeltas,
    batch: dialect === "xml" ? { mode: "sequential", coerce: "lexical" } : { mode: "parallel", coerce: "json" },
    begin(context) {
      const { clock, request, messages } = context;
      const parser = createParser({
        dialect,
        repair,
        startIn,
        clock,
        // The parser asks when a block opens.
        get callDeltas() {
          return callDeltas || context.callDeltas === true;
        },
      });
      const language = isBound(context) ? { grammar: languageOf(context) } : {};
      const asked = { ...request, ...language, system: promptOf(context), messages: messages(dialect) };
      return new ProtocolReading(context, parser, grace, asked, startIn === "think");
    },
  };
}

class ProtocolReading extends AnswerReading {
  readonly #parser: Parser;
  readonly #reasoning: Reasoning;
  readonly #startsInThought: boolean;
  /** Whether a block was refused or repaired. */
  #differs = false;
  /** What ended the text; undefined if the model just stopped. */
  #last: "execute" | "refused" | "end" | undefined;

  constructor(context: StepContext, parser: Parser, grace: number, request: ModelRequest, startsInThought: boolean) {
    super(context, request, grace);
    this.#parser = parser;
    this.#startsInThought = startsInThought;
    this.#reasoning = createReasoning(context.clock);
  }

  protected writeReasoning(piece: string): readonly StepEvent[] {
    return this.#parser.done ? [] : this.#reasoning.write(piece);
  }

  protected writeText(piece: string): StepEvent[] {
    const parser = this.#parser;
    const ignored = parser.ignored;
    const written = parser.write(piece);
    if (parser.done) {
      const extra = piece.slice(piece.length - (parser.ignored - ignored));
      if (extra.trim() !== "") this.stage = "surplus";
      else if (this.stage === "open") this.stage = "complete";
    }
    return this.#stepEvents(written);
  }

  protected endWhole(finish: FinishReason | undefined): Pick<ReadingEnd, "events" | "asWritten" | "nearMiss"> {
    const parser = this.#parser;
    const events = this.#stepEvents(parser.end(finish ?? "aborted"), finish);
    const text = this.text.toString();
    const read = text.slice(0, text.length - parser.ignored);
    const isCut = finish === "length" || finish === "content_filter" || finish === "aborted";
    const nearMiss = isCut ? undefined : this.#nearMiss(read);
    // The log holds neither a refused block nor text after the end, and a repaired block only as it was repaired.
    return { events, asWritten: !this.#differs && text.slice(read.length).trim() === "", nearMiss };
  }

  #nearMiss(text: string): string | undefined {
    if (this.#last === "execute" || this.#last === "refused") return undefined;
    const { tools } = this.context;
    return nearMissIn({
      text,
      tools,
      startsInThought: this.#startsInThought,
      hasEnded: this.#last === "end",
      way: "block",
    });
  }

  protected endBroken(piece: string): StepEvent[] {
    // Text that the parser held back is kept.
    const parser = this.#parser;
    return this.#stepEvents([...parser.write(piece), ...parser.end("other")]);
  }

  #stepEvents(events: readonly ParserEvent[], finish?: FinishReason): StepEvent[] {
    const given: StepEvent[] = [];
    for (const event of events) {
      switch (event.type) {
        case "think":
        case "respond": {
          const piece = this.#reasoning.besideText(event);
          if (piece) given.push(piece);
          break;
        }
        case "error":
          this.#differs = true;
          this.#last = "refused";
          given.push({ type: "refused", error: this.#withCut(event, finish), text: this.#blockBefore(event.position) });
          break;
        case "execute":
          if (event.repaired) this.#differs = true;
          this.#last = "execute";
          given.push(event);
          break;
        case "end":
          this.#last = "end";
          given.push(event);
          break;
        case "result":
          throw new TypeError(`A parser that was not asked for ${event.type} events has made one.`);
        default:
          given.push(event);
      }
    }
    return given;
  }

  /** The refusal of a block that was cut off, with what cut it off. */
  #withCut(error: ErrorEvent, finish: FinishReason | undefined): ErrorEvent {
    const cut = error.code === "truncated_execute" ? this.cutOff(finish) : undefined;
    return cut === undefined ? error : { ...error, content: `${error.content} Your message was cut off ${cut}.` };
  }

  /** The text from the last block or forged results on that begin at or before the position. */
  #blockBefore(position: number | undefined): string {
    const text = this.text.toString();
    const starts = ["<execute>", "<results>"].map((marker) => text.lastIndexOf(marker, position));
    return text.slice(Math.max(0, ...starts));
  }
}
