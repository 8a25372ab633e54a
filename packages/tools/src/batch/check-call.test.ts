import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { batchContext, executorOf } from "../../test/support/fixtures.ts";
import { argumentsHash } from "../approval/canonical-json.ts";
import { defineTool } from "../define-tool.ts";
import type { ApprovalRecord, LoggedCall, QuestionRecord, ToolEvent } from "../host.ts";
import type { ApprovalRequest, ExecutorOptions } from "../index.ts";
import type { ToolInput } from "../schema/infer-args.ts";

const plain = {
  type: "object",
  properties: {
    command: { type: "string" },
    cwd: { type: "string", default: "." },
    tries: { type: "integer" },
    edits: { type: "array", items: { type: "object", properties: { old: { type: "string" } } } },
  },
  required: ["command"],
} as const;
const zod = z.object({
  command: z.string().transform((command) => command.trim()),
  cwd: z.string().default("."),
  tries: z.int().optional(),
  edits: z.array(z.object({ old: z.string().optional() })).optional(),
});

/** Everything that a host is shown of one call, and what the body got. */
async function seen(input: ToolInput, args: JsonObject, options: Omit<ExecutorOptions, "registry"> = {}) {
  const asked: ApprovalRequest[] = [];
  const policed: LoggedCall[] = [];
  const logged: (ApprovalRecord | QuestionRecord)[] = [];
  const started: LoggedCall[][] = [];
  const observed: LoggedCall[] = [];
  const bodies: unknown[] = [];
  const contexts: LoggedCall[] = [];
  const tool = defineTool({
    name: "shell",
    description: "t",
    input,
    execute: (args, { call }) => {
      bodies.push(structuredClone(args));
      contexts.push(call);
      // What the body does to its arguments is its own business.
      Object.assign(args as object, { command: "changed" });
    },
  });
  const executor = executorOf([tool], {
    approval: {
      policy: (call) => {
        policed.push(call);
        return "ask";
      },
      approve: async (request) => asked.push(request) > 0,
    },
    observer: (event: ToolEvent) => event.type === "started" && observed.push(event.call),
    ...options,
  });
  const journal = {
    question: (record: QuestionRecord) => void logged.push(record),
    approval: (record: ApprovalRecord) => void logged.push(record),
    started: (call: LoggedCall, requested?: LoggedCall) => void started.push(requested ? [call, requested] : [call]),
    finished: () => {},
  };
  const call = { name: "shell", args, id: "c1" };
  const [execution] = await executor.run([call], batchContext({ journal }), { coerce: "lexical" });
  return { asked, policed, logged, started, observed, bodies, contexts, execution };
}

describe.each<[string, ToolInput]>([
  ["plain JSON Schema", plain],
  ["zod", zod],
])("what a person is asked about a call of %s", (_, input) => {
  it.each<[string, JsonObject, Omit<ExecutorOptions, "registry">, JsonObject]>([
    ["as it was written", { command: "ls" }, {}, { command: "ls" }],
    ["with strings as what they spell", { command: "ls", tries: "5" }, {}, { command: "ls", tries: 5 }],
    [
      "with JSON in strings as what it spells",
      { command: "ls", edits: '[{"old":"a"}]' },
      {},
      { command: "ls", edits: [{ old: "a" }] },
    ],
    [
      "without null for what is optional",
      { command: "ls", tries: null, edits: [{ old: null }] },
      {},
      { command: "ls", edits: [{}] },
    ],
    [
      "without null for what is optional, in JSON in a string",
      { command: "ls", edits: '[{"old":null}]' },
      {},
      { command: "ls", edits: [{}] },
    ],
    [
      "as a hook wrote it",
      { command: "ls" },
      {
        hooks: [{ name: "h", beforeToolUse: () => ({ call: { args: { command: "rm", tries: "1" } } }) }],
      },
      { command: "rm", tries: 1 },
    ],
  ])("is the call that runs, %s", async (_, args, options, shown) => {
    const { asked, policed, logged, started, observed, contexts, bodies, execution } = await seen(input, args, options);
    const call = { name: "shell", args: shown, id: "c1" };
    expect(execution?.outcome).toBe("success");
    expect(asked[0]?.call).toStrictEqual(call);
    expect([policed[0], observed[0], contexts[0], execution?.call, started[0]?.[0]]).toStrictEqual(
      Array.from({ length: 5 }, () => call),
    );
    const hash = await argumentsHash(shown);
    expect([asked[0]?.hash, ...logged.map((record) => record.hash)]).toEqual([hash, hash, hash]);
    // The schema fills in its defaults, and nothing else.
    expect(bodies).toEqual([{ cwd: ".", ...shown }]);
    const isWritten = JSON.stringify(args) === JSON.stringify(shown);
    expect(started[0]?.[1]?.args).toEqual(isWritten ? undefined : args);
    expect(execution?.requested?.args).toEqual(isWritten ? undefined : args);
    expect(() => Object.assign(asked[0]?.call.args ?? {}, { command: "x" })).toThrow(TypeError);
  });

  it.each<[string, JsonObject, string]>([
    [
      "a number that cannot be kept",
      { command: "ls", tries: "2512292042121000001" },
      "tries: not a number that can be kept; expected an integer up to 9007199254740991",
    ],
    ["a name that nobody knows", { command: "rm -r build", directory: "pkg" }, "there is no `directory`; valid names:"],
    ["a misspelt name", { command: "ls", cdw: "pkg" }, "cdw: there is no `cdw`; did you mean `cwd`?"],
    ["a name in another letter case", { command: "ls", CWD: "pkg" }, "did you mean `cwd`?"],
    [
      "a nested name",
      { command: "ls", edits: [{ old: "a" }, { olds: "b" }] },
      "edits[1].olds: there is no `olds`; did you mean `old`?",
    ],
    ["null for what is required", { command: null }, "command: "],
    [
      "a number in JSON in a string that a number cannot keep",
      { command: "ls", edits: '[{"old":"a","x":2512292042121000001}]' },
      "edits: not valid JSON at character 17: not a number that can be kept; write it as a string",
    ],
    [
      "a key that JSON in a string has twice",
      { command: "ls", edits: '[{"old":"a","old":"b"}]' },
      'edits: not valid JSON at character 17: the key "old" is given twice or not allowed',
    ],
    ["a name in JSON in a string", { command: "ls", edits: '[{"odl":"b"}]' }, "edits[0].odl: there is no `odl`"],
  ])("never holds %s: such a call is refused before a question is put", async (_, args, message) => {
    const { asked, bodies, started, execution } = await seen(input, args);
    expect([asked, bodies, started]).toEqual([[], [], []]);
    expect(execution).toMatchObject({ outcome: "failure", error: { code: "invalid_arguments" } });
    expect(execution?.error?.message).toContain(message);
  });

  it("never holds an unknown key that a hook added: the call is refused before a question is put", async () => {
    const hooks = [{ name: "h", beforeToolUse: () => ({ call: { args: { command: "rm", force: true } } }) }];
    const { asked, execution } = await seen(input, { command: "ls" }, { hooks });
    expect([asked, execution?.outcome]).toEqual([[], "failure"]);
  });
});

describe("an open schema", () => {
  it.each<[string, ToolInput, JsonObject]>([
    ["that declares nothing", { type: "object" }, { any: 1 }],
    ["that admits more", { ...plain, additionalProperties: true }, { command: "ls", any: [] }],
    ["of a record", z.object({ env: z.record(z.string(), z.string()) }), { env: { PATH: "/bin" } }],
    ["of a loose object", z.looseObject({ a: z.string() }), { a: "x", any: 1 }],
  ])("has no unknown keys: one %s", async (_, input, args) => {
    const { asked, execution } = await seen(input, args);
    expect([execution?.outcome, asked[0]?.call.args]).toEqual(["success", args]);
  });
});
