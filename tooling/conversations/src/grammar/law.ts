import { callOf, createParser, type Dialect, type JsonObject, type ToolCall, type ToolSpec } from "@cogency/protocol";
import { type TurnLanguage, turnGrammar } from "@cogency/protocol/grammar";
import { jsonSchemaCheck } from "@cogency/tools/host";
import { Deriver } from "../../../../packages/protocol/test/gbnf/derive.ts";
import { readGbnf } from "../../../../packages/protocol/test/gbnf/read-gbnf.ts";
import { Recognizer } from "../../../../packages/protocol/test/gbnf/recognize.ts";
import { Random } from "../../../../packages/protocol/test/generate/random.ts";
import toolbox from "../../../../packages/toolbox/src/parameters.json" with { type: "json" };
import { generatedSchema } from "./generated-schema.ts";

/** The tools of the toolbox, by the schemas that they declare. */
export const toolboxTools: readonly ToolSpec[] = Object.entries(toolbox).map(([name, parameters]) => ({
  name,
  description: "",
  parameters,
}));

/** Two tools of schemas that are made at random. Of the lengths of raw text in XML, a grammar binds only that it is not empty. */
export function generatedTools(seed: number, dialect: Dialect): ToolSpec[] {
  const random = new Random(seed);
  const isBound = (keyword: string, value: unknown) =>
    !/^m..Length$/.test(keyword) || dialect === "json" || value === 1;
  return ["first", "second"].map((name) => {
    const text = JSON.stringify(generatedSchema(random), (key, value) => (isBound(key, value) ? value : undefined));
    return { name, description: "", parameters: JSON.parse(text) };
  });
}

/** A language, its grammar, and what is a call of its tools. */
export class Law {
  readonly deriver: Deriver;
  readonly recognizer: Recognizer;
  readonly #language: TurnLanguage;
  readonly #checks: ReadonlyMap<string, (value: JsonObject) => string | undefined>;

  constructor(language: TurnLanguage) {
    const grammar = readGbnf(turnGrammar(language));
    this.deriver = new Deriver(grammar);
    this.recognizer = new Recognizer(grammar);
    this.#language = language;
    this.#checks = new Map(language.tools.map(({ name, parameters }) => [name, jsonSchemaCheck(parameters)]));
  }

  /** What is wrong with an answer; undefined if it reads without an error and all its calls fit. */
  faultOf(text: string): string | undefined {
    const { calls, fault } = this.read(text);
    return fault ?? calls.map((call) => this.#misfit(call)).find((problem) => problem !== undefined);
  }

  read(text: string): { calls: ToolCall[]; fault: string | undefined } {
    const parser = createParser({ dialect: this.#language.dialect, startIn: this.#language.startIn });
    const events = [...parser.write(text), ...parser.end()];
    const calls = events.flatMap((event) => (event.type === "call" ? [callOf(event)] : []));
    const error = events.find((event) => event.type === "error");
    if (error) return { calls, fault: error.content };
    // A block that the parser took for text, or a marker in text that it took for one, is a fault as well.
    const last = events.at(-1)?.type;
    const expected = text.endsWith("</execute>") ? "execute" : text.endsWith("<end>") ? "end" : "text";
    const ended = last === "execute" || last === "end" ? last : "text";
    const isEarly = parser.ignored > 0;
    const fault = ended !== expected || isEarly ? `ends as ${ended} instead of ${expected}` : undefined;
    return { calls, fault };
  }

  /**
   * Whether the language has a form of the calls. Of an address it has fewer than the check allows: those that `URL` parses. In XML no
   * text holds a closing tag that may end it, none begins with a line break, and JSON holds no raw `<`.
   */
  canWrite(calls: readonly ToolCall[]): boolean {
    const isXml = this.#language.dialect === "xml";
    const closer = (name: string, argument: string) => [name, argument, "execute"].map((one) => `</${one}>`);
    return calls.every(({ name, args }) =>
      Object.entries(args).every(([argument, text]) => {
        if (this.#hasFormat(name, argument)) return false;
        const isClosing = closer(name, argument).some((one) => String(text).includes(one));
        return !isXml || !(isClosing || /^\s*[[{].*</s.test(String(text)) || /^[\r\n]/.test(String(text)));
      }),
    );
  }

  #hasFormat(name: string, argument: string): boolean {
    const { properties = {} } = this.#language.tools.find((tool) => tool.name === name)?.parameters ?? {};
    return Object.hasOwn((properties as Record<string, object>)[argument] ?? {}, "format");
  }

  #misfit({ name, args }: ToolCall): string | undefined {
    const check = this.#checks.get(name);
    if (check === undefined) return this.#language.hasOthers ? undefined : `${name} is no tool`;
    return this.#language.dialect === "xml" ? misfitOfText(args, check) : check(args);
  }
}

/** As `coerce: "lexical"` reads the arguments: as a string where that fits, else as JSON. */
function misfitOfText(args: JsonObject, check: (value: JsonObject) => string | undefined): string | undefined {
  let open = [args];
  for (const [name, text] of Object.entries(args)) {
    if (typeof text === "string" && isJson(text))
      open = open.flatMap((one) => [one, { ...one, [name]: JSON.parse(text) }]);
  }
  return open.some((one) => check(one) === undefined) ? undefined : check(open.at(-1) ?? args);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) !== "string";
  } catch {
    return false;
  }
}

export const dialects: readonly Dialect[] = ["json", "xml"];
