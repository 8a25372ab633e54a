import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Message, messagesIn } from "../../../test/support/messages.ts";
import { inPlainWords } from "./in-plain-words.ts";

const folderOfAll = join(import.meta.dirname, "../../../../../packages");

/** The packages whose messages reach a person through the app. */
const packages = [
  "agent",
  "async",
  "protocol",
  "provider",
  "provider-anthropic",
  "provider-google",
  "provider-openai",
].concat(["storage", "storage-postgres", "storage-sqlite", "toolbox", "tools"]);

/** Files whose names of options, functions and fields are right for who reads them, and why. */
const rightThere: Readonly<Record<string, readonly string[]>> = {
  "the app itself, not its command line, would have given the options wrong": [
    ...["create-agent", "foreign-options", "model", "options", "run"].map((name) => `agent/src/${name}.ts`),
    ...["inbox/notices/notice-fault", "inbox/store-name", "loop/add-instructions"].map(
      (name) => `agent/src/${name}.ts`,
    ),
    ...["history/compaction", "history/sliding-window", "search/tool-search"].map((name) => `agent/src/${name}.ts`),
    ...["native-driver", "react-driver", "react/own-decision", "scripted-driver"].map(
      (name) => `agent/src/drivers/${name}.ts`,
    ),
    ...["storage/src/adapter/checked-numbers.ts", "storage/src/redact/redacting-store.ts"],
    ...["storage-postgres/src/postgres-store.ts", "provider/src/provider-kind.ts"],
    ...["options", "toolbox", "web/search-tool", "files/guard/guarded-paths"].map((name) => `toolbox/src/${name}.ts`),
    ...["check-is-tool", "define-tool", "executor-table", "registry", "approval/key-ring", "batch/asking"].map(
      (name) => `tools/src/${name}.ts`,
    ),
    ...["model-parameters", "raw-shape", "standard-schema"].map((name) => `tools/src/schema/${name}.ts`),
    ...["questions/answer-schema", "result/checked-attachments"].map((name) => `tools/src/${name}.ts`),
  ],
  "the model reads it, and they are fields of its own answer, or arguments of its calls": [
    ...["drivers/call-tool", "drivers/react/decision", "drivers/react/react-prompt"].map(
      (name) => `agent/src/${name}.ts`,
    ),
    ...["tools/src/result/read-result-tool.ts", "toolbox/src/web/scrape-tool.ts"],
  ],
  "the person wrote that JSON: a schema, an exported conversation, a provider module": [
    ...["provider/src/request/schema/lower.ts", "protocol/src/log-event-problem.ts", "provider/src/event-problem.ts"],
  ],
  "the program of a client wrote those tools": ["tools/src/client/checked-client-tools.ts"],
  "the server sent that name": ["provider-anthropic/src/messages/stream.ts"],
  "it names what the runtime lacks": ["async/src/require-runtime.ts"],
};

/** A name of a programmer's: in backticks, with brackets behind it, or in camelCase. */
const apiName = /`[A-Za-z_][\w.]*(?:\([^`]*\))?`|\b[A-Za-z]+\(\)|\b[a-z]+[a-z0-9]*[A-Z]\w*|@cogency\//;

const isSql = ({ text }: Message) => /\b(?:SELECT|FROM|UPDATE|FUNCTION|AS) /.test(text);
const read = (name: string) => messagesIn(join(folderOfAll, name, "src"));
const said = packages
  .flatMap((name) => read(name).map(({ file, text }) => ({ file: `${name}/src/${file}`, text })))
  .filter((message) => !isSql(message));
const excused = new Set(Object.values(rightThere).flat());
const named = said.filter(({ text }) => apiName.test(inPlainWords(text)));

describe("in plain words", () => {
  it("no message of the packages names an option, a function or a field of theirs", () => {
    const left = named.filter(({ file }) => !excused.has(file));
    expect(left.map(({ file, text }) => `${file}: ${inPlainWords(text)}`)).toEqual([]);
  });

  it("nor does a message of the app, but where a person writes a package or a file of that form, or a program reads it", () => {
    const ofApp = messagesIn(join(import.meta.dirname, "../.."));
    const files = new Set(ofApp.filter(({ text }) => apiName.test(text)).map(({ file }) => file));
    expect([...files].toSorted()).toEqual([
      "chat/clipboard/clipboard-ways.ts",
      "commands/history/read-export.ts",
      "commands/init.ts",
      "commands/protocol-text.ts",
      "commands/test/test-from-command.ts",
      "place/config/config-problem.ts",
      "place/config/review.ts",
      "place/hooks/hooks-problems.ts",
      "place/mcp/mcp-json.ts",
      "place/mcp/mcp-problem.ts",
      "program/config-program.ts",
      "program/mcp-program.ts",
      "program/test-program.ts",
      "serve/entrance.ts",
      "work/modules/import-module.ts",
      "work/provider/load-provider.ts",
      "work/read-schema.ts",
    ]);
  });

  it("every file that is excused has such a message", () => {
    const files = new Set(named.map(({ file }) => file));
    expect([...excused].filter((file) => !files.has(file))).toEqual([]);
  });

  it.each([
    [
      "api.openai.com does not accept the API key; check `apiKey` (HTTP 401): bad key",
      "api.openai.com does not accept the API key; check the key (HTTP 401): bad key",
    ],
    [
      "No OpenAI API key. Set the environment variable OPENAI_API_KEY or pass `apiKey`; for another server pass its `baseURL`.",
      "No OpenAI API key: cogency config key set OPENAI_API_KEY keeps one; for another server give its address with --base-url.",
    ],
    [
      "The run used up its time (5 s). The limit is `budget.seconds`. The run is not over: `recover` goes on with it.",
      "The run used up its time (5 s). The limit is --max-seconds. It is not over: it goes on where the conversation is resumed.",
    ],
    ["The conversation has no events; start it with run().", "The conversation is empty: say something first."],
    [
      'fork: `at` is 9; give a number of events of "c", from 0 to 4.',
      'There is no point 9: give a number of events of "c", from 0 to 4.',
    ],
    [
      "Writing `a.ts` failed: the file has `model` and `run()`.",
      "Writing `a.ts` failed: the file has `model` and `run()`.",
    ],
  ])("%s", (message, words) => {
    expect(inPlainWords(message)).toBe(words);
  });
});
