import { describe, expect, it } from "vitest";
import { readModelJson } from "./host.ts";
import {
  createAssembler,
  createParser,
  formatCalls,
  ParserStream,
  parse,
  parseSync,
  protocolPrompt,
  toMessages,
} from "./index.ts";

/** Every public function that takes options, and options that it accepts. */
const functions: [name: string, call: (options: never) => unknown, valid: object][] = [
  [
    "createParser",
    createParser,
    { dialect: "xml", repair: true, results: "allow", startIn: "think", callDeltas: true },
  ],
  ["parse", (options) => parse("", options), { clock: () => 1, finish: () => "stop" }],
  ["parseSync", (options) => parseSync("", options), { repair: undefined, finish: () => "length" }],
  ["ParserStream", (options) => new ParserStream(options), { finish: () => "stop" }],
  ["readModelJson", (options) => readModelJson("1", options), { wants: "value" }],
  ["toMessages", (options) => toMessages([], options), { form: "native" }],
  ["createAssembler", createAssembler, { form: "react" }],
  ["formatCalls", (options) => formatCalls([], options), { dialect: "xml" }],
  ["protocolPrompt", (options) => protocolPrompt([], options), { dialect: "json" }],
];

describe("options", () => {
  it.each(functions)("%s accepts its own", (_name, call, valid) => {
    expect(() => call(valid as never)).not.toThrow();
  });

  it.each(
    functions.flatMap(([name, call, valid]) =>
      Object.entries(valid).map(([option]) => [name, option, call, valid] as const),
    ),
  )("%s refuses a wrong `%s`, and one that is misspelt, before it does anything", (name, option, call, valid) => {
    const problem = (options: object) => {
      try {
        return call(options as never);
      } catch (error) {
        return error;
      }
    };
    const wrong = { code: "invalid_option", option, message: expect.stringContaining(`${name}: \`${option}\` is 7`) };
    expect(problem({ ...valid, [option]: 7 })).toMatchObject(wrong);
    const misspelt = `${option}s`;
    expect(problem({ ...valid, [misspelt]: 7 })).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(new RegExp(`^${name} has no option .${misspelt}.*Did you mean .${option}`, "s")),
    });
  });
});
