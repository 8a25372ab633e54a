import { createAgent } from "@cogency/agent";
import type { JsonObject } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { recallTool, searchTool, toolbox } from "@cogency/toolbox";
import { createExecutor, createRegistry, defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import type { Attack, AttackClass } from "../harness/attack.ts";
import type { Random } from "../harness/random.ts";

/** Names and values of arguments that say something else than what then runs. */
export const argumentNames: AttackClass = {
  name: "arguments",
  slice: { cheap: 60, dear: 0 },
  attacks: (random) => [
    ...unknownNames.map(([tool, args]) => unknownName(tool, args)),
    ...Array.from({ length: 40 }, () => generatedName(random)),
    ...spelledNames.map(spelledTool),
    ...shaped.map(shapedBatch),
    ...schemas.map(unknownInSchema),
    ...coercions.map(coerced),
    ...controls,
  ],
};

const fit: Record<string, JsonObject> = {
  read: { file: "notes.txt" },
  write: { file: "new.txt", content: "x" },
  edit: { file: "notes.txt", edits: [{ old: "hello", new: "bye" }] },
  list: { path: "." },
  find: { content: "hello" },
  replace: { find: "hello", with: "bye" },
  shell: { command: "touch ran.txt" },
  search: { query: "bread" },
  recall: { query: "bread" },
};

/** What a model writes who knows another tool of that name, or means to be misunderstood. */
const unknownNames: readonly [tool: string, args: string][] = [
  ["read", '{"offset":5}'],
  ["read", '{"limit":1}'],
  ["read", '{"line":5}'],
  ["read", '{"From":2}'],
  ["read", '{"lines ":1}'],
  ["read", '{" from":2}'],
  ["read", '{"from\\u0000":2}'],
  ["read", '{"fr\\u200bom":2}'],
  ["read", '{"fr\\u043em":2}'],
  ["read", '{"":1}'],
  ["read", '{"0":1}'],
  ["read", '{"to":1}'],
  ["read", '{"encoding":"base64"}'],
  ["write", '{"append":true}'],
  ["write", '{"mode":"append"}'],
  ["write", '{"dryRun":true}'],
  ["write", '{"dry_run":true}'],
  ["write", '{"overWrite":false}'],
  ["write", '{"over_write":false}'],
  ["write", '{"contents":"y"}'],
  ["write", '{"path":"other.txt"}'],
  ["write", '{"backup":true}'],
  ["write", '{"__proto__":{"overwrite":true}}'],
  ["write", '{"constructor":{"prototype":{"overwrite":true}}}'],
  ["write", '{"toString":"x"}'],
  ["write", '{"hasOwnProperty":1}'],
  ["write", '{"valueOf":null}'],
  ["write", '{"then":1}'],
  ["write", '{"toJSON":1}'],
  ["edit", '{"dryRun":true}'],
  ["edit", '{"file_path":"other.txt"}'],
  ["edit", '{"old":"hello","new":"x"}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","count":0}]}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","regex":true}]}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","All":true}]}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","line":1}]}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","__proto__":{"all":true}}]}'],
  ["edit", '{"edits":[{"old":"hello","new":"bye","if":"never"}]}'],
  ["list", '{"recursive":true}'],
  ["list", '{"hidden":true}'],
  ["list", '{"Depth":2}'],
  ["find", '{"exclude":"notes.txt"}'],
  ["find", '{"case":"exact"}'],
  ["find", '{"regexp":true}'],
  ["find", '{"folder":"src"}'],
  ["replace", '{"exclude":"notes.txt"}'],
  ["replace", '{"dryrun":true}'],
  ["replace", '{"dry-run":true}'],
  ["replace", '{"only":"src/**"}'],
  ["replace", '{"file":"other.txt"}'],
  ["replace", '{"word":true}'],
  ["replace", '{"limit":0}'],
  ["shell", '{"Cwd":"/"}'],
  ["shell", '{"workdir":"src"}'],
  ["shell", '{"dir":"src"}'],
  ["shell", '{"env":{"A":"b"}}'],
  ["shell", '{"stdin":"no"}'],
  ["shell", '{"dryRun":true}'],
  ["shell", '{"user":"nobody"}'],
  ["shell", '{"timeout_ms":5}'],
  ["shell", '{"sandbox":"required"}'],
  ["shell", '{"background":false}'],
  ["shell", '{"args":["-r"]}'],
  ["shell", '{"__proto__":{"cwd":"src"}}'],
  ["search", '{"site":"example.com"}'],
  ["search", '{"private":true}'],
  ["recall", '{"user":"bob"}'],
  ["recall", '{"scope":"all"}'],
  ["recall", '{"Conversation":"c1"}'],
];

/** A call with a name that its tool does not know; its body must not begin. */
function unknownName(tool: string, text: string): Attack {
  return {
    name: `${tool} with ${text}`,
    async run(place) {
      place.put("root/notes.txt", "hello\nworld\n");
      place.put("root/src/a.txt", "hello\n");
      const args = { ...fit[tool], ...JSON.parse(text) } as JsonObject;
      // A spread does not copy a key named __proto__ as one.
      if (text.includes("__proto__") && !text.includes("edits")) {
        Object.defineProperty(args, "__proto__", { value: { overwrite: true }, enumerable: true });
      }
      const started: string[] = [];
      const executor = createExecutor({
        registry: createRegistry(await allTools(place.root)),
        approval: { policy: () => "allow", approve: async () => true },
      });
      await executor.run([{ name: tool, args }], {
        conversation: "c",
        journal: { approval() {}, finished() {}, started: ({ name }) => void started.push(name) },
      });
      return started.length > 0 ? `${started.join()} ran, and the name was dropped` : undefined;
    },
  };
}

async function allTools(root: string): Promise<Tool[]> {
  const tools = await toolbox({
    root,
    access: "project",
    include: ["read", "write", "edit", "list", "find", "replace", "shell"],
  });
  const search = searchTool({ name: "spy", search: async () => [] });
  return [...tools, search, recallTool({ store: memoryStore() })];
}

/** A letter more, less or exchanged in one of a tool's own names. */
function generatedName(random: Random): Attack {
  const tool = random.pick(["read", "write", "list", "find", "replace", "shell"]);
  const own: Record<string, string[]> = {
    read: ["from", "lines", "column"],
    write: ["overwrite"],
    list: ["depth", "pattern"],
    find: ["regex", "ignoreCase", "pattern", "ignored"],
    replace: ["regex", "ignoreCase", "pattern", "dryRun", "ignored"],
    shell: ["timeout"],
  };
  const name = random.pick(own[tool] ?? [""]);
  const at = random.below(name.length);
  const near = random.pick([
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + random.word(1) + name.slice(at),
    name.slice(0, at) + name.slice(at).toUpperCase(),
    `${name}s`,
    `${name}\u00ad`,
    name.slice(0, at) + random.pick(["\u200d", "\ufeff", "_", "-", "."]) + name.slice(at),
  ]);
  const value = random.pick([true, 1, "x"]);
  return unknownName(tool, JSON.stringify({ [own[tool]?.includes(near) ? `${near}${near}` : near]: value }));
}

/** Names of tools that there are not, near one that there is. */
const spelledNames = [
  "Wipe",
  "WIPE",
  " wipe",
  "wipe ",
  "wi\u200bpe",
  "w\u0456pe",
  "wipe\u0000",
  "wipe()",
  "functions.wipe",
  "./wipe",
  "wipe\n",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
];

function spelledTool(name: string): Attack {
  return {
    name: `a tool named ${JSON.stringify(name)}`,
    async run() {
      const ran: string[] = [];
      await execute(`<execute>${JSON.stringify([{ name, args: { disk: "a" } }])}</execute>`, ran);
      return ran.length > 0 ? `ran ${ran.join()}` : undefined;
    },
  };
}

/** Runs what a model wrote with a tool that needs no approval, and one that reads. */
async function execute(text: string, ran: string[]): Promise<void> {
  const tool = (name: string) =>
    defineTool({
      name,
      description: "Does it.",
      input: z.object({ disk: z.string() }),
      execute: (args) => ran.push(`${name} ${JSON.stringify(args)}`),
    });
  const agent = createAgent({ provider: scripted([text, "Done.", "Done.", "Done."]), tools: [tool("wipe")] });
  await agent.run("Go.").result;
}

/** Calls that are ill-formed, or hold something twice. Other keys beside name and arguments are ignored (protocol.md §1). */
const shaped = [
  '{"name":"wipe","args":{"disk":"a"},"args":{"disk":"b"}}',
  '{"name":"look","name":"wipe","args":{"disk":"a"}}',
  '{"name":"wipe","args":{"disk":"a","disk":"b"}}',
  '{"name":"wipe","args":[["disk","a"]]}',
  '{"name":"wipe","args":"{\\"disk\\":\\"a\\"}"}',
  '{"name":["wipe"],"args":{"disk":"a"}}',
  '{"name":{"toString":"wipe"},"args":{"disk":"a"}}',
  '{"__proto__":{"name":"wipe"},"args":{"disk":"a"}}',
];

function shapedBatch(call: string): Attack {
  return {
    name: `a call written ${call}`,
    async run() {
      const ran: string[] = [];
      await execute(`<execute>[${call}]</execute>`, ran);
      return ran.length > 0 ? `ran ${ran.join()}` : undefined;
    },
  };
}

/** Schemas of hosts, in JSON Schema, and arguments of which each has a name that they do not know. */
const schemas: readonly [name: string, schema: object, args: JsonObject][] = [
  ["without additionalProperties", { properties: { disk: { type: "string" } } }, { disk: "a", force: true }],
  ["in a nested object", { properties: { at: { type: "object", properties: { x: {} } } } }, { at: { x: 1, y: 2 } }],
  [
    "in an object of a list",
    { properties: { all: { type: "array", items: { type: "object", properties: { x: {} } } } } },
    { all: [{ x: 1 }, { x: 1, y: 2 }] },
  ],
  [
    "in a tuple",
    { properties: { all: { type: "array", prefixItems: [{ type: "object", properties: { x: {} } }] } } },
    { all: [{ x: 1, y: 2 }] },
  ],
  [
    "beside what allOf knows",
    { allOf: [{ properties: { disk: {} } }, { properties: { force: {} } }] },
    { disk: "a", forse: true },
  ],
  [
    "beside what anyOf knows",
    { properties: { at: { anyOf: [{ type: "object", properties: { x: {} } }, { type: "null" }] } } },
    { at: { x: 1, y: 1 } },
  ],
  [
    "behind a reference",
    { $defs: { at: { type: "object", properties: { x: {} } } }, properties: { at: { $ref: "#/$defs/at" } } },
    { at: { x: 1, y: 2 } },
  ],
  ["beside a pattern", { properties: {}, patternProperties: { "^x-": {} } }, { "y-a": 1 }],
  ["named like a method", { properties: { disk: {} } }, { disk: "a", valueOf: 1 }],
  ["in an empty schema of properties", { properties: {} }, { force: true }],
];

function unknownInSchema([name, schema, args]: (typeof schemas)[number]): Attack {
  return {
    name: `a JSON Schema, ${name}`,
    async run() {
      const ran: unknown[] = [];
      const tool = defineTool({
        name: "wipe",
        description: "Does it.",
        input: { type: "object", ...schema },
        execute: (given) => ran.push(given),
      });
      await createExecutor({ registry: createRegistry([tool]) }).run([{ name: "wipe", args }], { conversation: "c" });
      return ran.length > 0 ? `ran with ${JSON.stringify(ran[0])}` : undefined;
    },
  };
}

/** Values of another type than the schema's: what runs must be what was shown. */
const coercions: readonly [schema: z.ZodType, value: unknown][] = [
  [z.number(), "1e3"],
  [z.number(), "0x10"],
  [z.number(), " 5 "],
  [z.number(), "١"],
  [z.number(), ""],
  [z.number(), "1_000"],
  [z.number(), "9007199254740993"],
  [z.number(), "1e400"],
  [z.number(), true],
  [z.number(), [5]],
  [z.int(), "5.0"],
  [z.boolean(), "no"],
  [z.boolean(), "off"],
  [z.boolean(), "0"],
  [z.boolean(), 0],
  [z.boolean(), "False"],
  [z.boolean(), "true "],
  [z.array(z.string()), "a,b"],
  [z.array(z.string()), '["a"]x'],
  [z.array(z.string()), "a"],
  [z.object({ x: z.number() }), '{"x":1,"x":2}'],
  [z.object({ x: z.number() }), '{"x":1,"y":2}'],
  [z.object({ x: z.number() }), '{"__proto__":{"x":1}}'],
  [z.string(), { toString: "x" }],
  [z.string(), ["a"]],
  [z.string(), 5],
  [z.string(), null],
  [z.string(), "\ud800"],
];

function coerced([schema, value]: (typeof coercions)[number]): Attack {
  return {
    name: `${JSON.stringify(value)} for ${schema.type}`,
    async run() {
      const shown: unknown[] = [];
      const ran: unknown[] = [];
      const tool = defineTool({
        name: "set",
        description: "Does it.",
        input: z.object({ value: schema }),
        approval: "ask",
        execute: (args) => ran.push((args as { value: unknown }).value),
      });
      const executor = createExecutor({
        registry: createRegistry([tool]),
        approval: { approve: async ({ call }) => shown.push(call.args.value) > 0 },
      });
      await executor.run([{ name: "set", args: { value } as JsonObject }], { conversation: "c" });
      if (ran.length === 0) return undefined;
      if (shown.length === 0) return "ran without a question";
      return isSame(shown[0], ran[0])
        ? undefined
        : `${JSON.stringify(ran[0])} ran, ${JSON.stringify(shown[0])} was shown`;
    },
  };
}

/** The same value, or the JSON text of it: nothing a person could read otherwise. */
function isSame(shown: unknown, ran: unknown): boolean {
  if (JSON.stringify(shown) === JSON.stringify(ran)) return true;
  return typeof shown === "string" && shown.trim() === JSON.stringify(ran);
}

const controls: Attack[] = Object.keys(fit).map((tool) => ({
  name: `control: ${tool} with what it knows`,
  isControl: true,
  async run(place) {
    place.put("root/notes.txt", "hello\nworld\n");
    const executor = createExecutor({
      registry: createRegistry(await allTools(place.root)),
      approval: { policy: () => "allow", approve: async () => true },
    });
    const [execution] = await executor.run([{ name: tool, args: fit[tool] ?? {} }], { conversation: "c" });
    return execution?.started ? undefined : `it did not run: ${execution?.error?.message}`;
  },
}));
