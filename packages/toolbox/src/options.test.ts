import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { grounds } from "../test/grounds.ts";
import { readTool, writeTool } from "./files.ts";
import { openRoot, recallTool, toolbox } from "./index.ts";
import { shellIsolation, shellRule, shellTool } from "./shell.ts";
import { openUndo } from "./undo.ts";
import { braveSearch, createWebClient, scrapeTool, searchTool, searxngSearch, tavilySearch } from "./web.ts";

// The options of a program in JavaScript, which no compiler checks.
type Loose = (...args: never[]) => unknown;
const loose = (call: Loose) => call as (...args: unknown[]) => unknown;

describe("options", () => {
  const ground = grounds();
  const root = () => openRoot(ground.root, { access: "project" });
  const undo = () => openUndo({ folder: `${ground.root}/../copies` });

  const wrong: [what: string, call: () => unknown, message: string][] = [
    [
      "openRoot",
      () => loose(openRoot)(ground.root, { acces: "project" }),
      "openRoot has no option `acces` (given: a string). Did you mean `access`?",
    ],
    [
      "openRoot",
      () => loose(openRoot)(ground.root, { guarded: "/a" }),
      "openRoot: `guarded` is a string; give an array of strings.",
    ],
    ["openRoot", () => loose(openRoot)({ root: "." }), "openRoot: `path` is an object; give a string"],
    ["openRoot", () => loose(openRoot)(), "openRoot needs `path`"],
    [
      "toolbox",
      () => loose(toolbox)({ cwd: ground.root }),
      "toolbox has no option `cwd` (given: a string). Did you mean `root`?",
    ],
    ["toolbox", () => loose(toolbox)({}), "toolbox needs `root`"],
    ["toolbox", () => loose(toolbox)({ root: Promise.resolve(ground.root) }), "Await it: it is a promise."],
    [
      "toolbox",
      () => loose(toolbox)({ root: ground.root, shell: { sandbx: "off" } }),
      "`shell` of toolbox has no option `sandbx`",
    ],
    [
      "toolbox",
      () => loose(toolbox)({ root: ground.root, web: { timeoutMs: 5 } }),
      "`web` of toolbox has no option `timeoutMs` (given: 5). Did you mean `timeout`?",
    ],
    [
      "toolbox",
      () => loose(toolbox)({ root: ground.root, store: "a.db" }),
      "toolbox: `store` is a string; give a store",
    ],
    [
      "toolbox",
      () => loose(toolbox)({ root: ground.root, search: "brave" }),
      "toolbox: `search` is a string; give a search service",
    ],
    ["writeTool", async () => loose(writeTool)(await root(), { keeper: {} }), "writeTool has no option `keeper`"],
    [
      "writeTool",
      () => loose(writeTool)(ground.root),
      "writeTool: `root` is a string; give a Root, as openRoot returns it.",
    ],
    [
      "readTool",
      () => loose(readTool)(Promise.resolve(ground.root)),
      "readTool: `root` is a promise; give a Root, as openRoot returns it. Await it",
    ],
    [
      "shellTool",
      async () => loose(shellTool)(await root(), { timeoutMs: 5 }),
      "shellTool has no option `timeoutMs` (given: 5). Did you mean `timeout`?",
    ],
    [
      "shellTool",
      async () => loose(shellTool)(await root(), { sandbox: true }),
      "shellTool: `sandbox` is true; give one of",
    ],
    [
      "shellTool",
      async () => loose(shellTool)(await root(), { network: { host: [] } }),
      "`network` of shellTool has no option `host`",
    ],
    [
      "shellTool",
      async () => loose(shellTool)(await root(), { timeout: 0 }),
      "shellTool: `timeout` is 0; give milliseconds above 0.",
    ],
    [
      "shellIsolation",
      async () => loose(shellIsolation)(await root(), { mode: "off" }),
      "shellIsolation has no option `mode`",
    ],
    ["shellRule", () => loose(shellRule)("ls"), "shellRule: `patterns` is a string; give an array of strings."],
    [
      "shellRule",
      () => loose(shellRule)(["ls"], { isolatd: true }),
      "shellRule has no option `isolatd` (given: true). Did you mean `isolated`?",
    ],
    ["scrapeTool", () => loose(scrapeTool)({ alow: [] }), "scrapeTool has no option `alow`"],
    [
      "createWebClient",
      () => loose(createWebClient)({ maxByte: 1 }),
      "createWebClient has no option `maxByte` (given: 1). Did you mean `maxBytes`?",
    ],
    [
      "searchTool",
      () => loose(searchTool)({ apiKey: "k" }),
      "searchTool: `backend` is an object; give a search service",
    ],
    ["recallTool", () => loose(recallTool)({}), "recallTool needs `store`"],
    [
      "recallTool",
      () => loose(recallTool)({ store: memoryStore(), project: "a" }),
      "recallTool has no option `project`",
    ],
    [
      "braveSearch",
      () => loose(braveSearch)({ key: "sk-secret" }),
      "braveSearch has no option `key` (given: a string). Did you mean `apiKey`?",
    ],
    ["tavilySearch", () => loose(tavilySearch)({ apiKey: 7 }), "tavilySearch: `apiKey` is 7; give a string."],
    ["searxngSearch", () => loose(searxngSearch)({ baseUrl: "http://a" }), "searxngSearch has no option `baseUrl`"],
    ["openUndo", () => loose(openUndo)({ path: "/a" }), "openUndo has no option `path`"],
    [
      "openUndo",
      () => loose(openUndo)({ folder: "/a", keyRing: {} }),
      "openUndo: `keyRing` is an object; give a key ring",
    ],
    [
      "openUndo",
      () => loose(openUndo)({ folder: "/a", limits: { files: 1 } }),
      "`limits` of openUndo has no option `files`",
    ],
    [
      "undo",
      () => loose(undo().undo)({ conversation: "c" }, { form: "x" }),
      "undo has no option `form` (given: a string). Did you mean `from`?",
    ],
    [
      "plan",
      () => loose(undo().plan)({ conversation: "c" }, { from: "x", access: "all" }),
      'plan: `access` is "all"; give one of',
    ],
  ];

  it.each(wrong)("of %s that are wrong are refused with what to write", async (_, call, message) => {
    const refused = (async () => call())();
    await expect(refused).rejects.toMatchObject({ code: "invalid_option" });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow("secret");
  });
});
