import type { JsonSchema } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../test/grounds.ts";
import { isolationOffences } from "../test/isolation-lint.ts";
import { openJobs } from "./shell/background/job-board.ts";
import type { ToolboxTool } from "./tool-names.ts";
import { toolbox } from "./toolbox.ts";

describe("the arguments of every tool", () => {
  const ground = grounds();
  // Listed by name, so that this test fails for a new tool.
  const names = {
    read: true,
    write: true,
    edit: true,
    list: true,
    find: true,
    replace: true,
    shell: true,
    shell_output: true,
    shell_stop: true,
    scrape: true,
    search: true,
    recall: true,
  } satisfies Record<ToolboxTool, true>;
  const jobs = openJobs();
  const everything = Object.keys(names) as ToolboxTool[];

  it.each(["sandbox", "project", "system"] as const)(
    "offer no way to lower isolation, with %s access",
    async (access) => {
      const shell = { network: { hosts: ["example.org"] }, jobs: openJobs() };
      const tools = await toolbox({ root: ground.root, access, include: everything, store: memoryStore(), shell });
      expect(tools).toHaveLength(everything.length);
      expect(tools.flatMap(isolationOffences)).toEqual([]);
    },
  );

  it("are exactly these, so that a new one makes its author check isolation", async () => {
    const tools = await toolbox({ root: ground.root, include: everything, store: memoryStore(), shell: { jobs } });
    const names = tools.map(({ name, spec }) => [name, Object.keys(spec.parameters.properties as object).sort()]);
    expect(Object.fromEntries(names)).toEqual({
      read: ["column", "file", "from", "lines"],
      write: ["content", "file", "overwrite"],
      edit: ["edits", "file"],
      list: ["depth", "path", "pattern"],
      find: ["content", "ignoreCase", "ignored", "path", "pattern", "regex"],
      replace: ["dryRun", "find", "ignoreCase", "ignored", "path", "pattern", "regex", "with"],
      shell: ["background", "command", "cwd", "timeout"],
      shell_output: ["job", "regex", "until", "wait"],
      shell_stop: ["job"],
      scrape: ["from", "url"],
      search: ["limit", "query"],
      recall: ["conversation", "from", "limit", "query"],
    });
  });

  it("are all described", async () => {
    const options = { root: ground.root, include: everything, store: memoryStore(), shell: { jobs } };
    for (const { name, spec } of await toolbox(options)) {
      const properties = Object.entries(spec.parameters.properties as Record<string, { description?: string }>);
      expect(properties.filter(([, { description }]) => !description).map(([key]) => `${name}.${key}`)).toEqual([]);
    }
  });
});

describe("isolationOffences", () => {
  const offences = (properties: JsonSchema, rest: JsonSchema = {}) =>
    isolationOffences(
      defineTool({
        name: "tool",
        description: "A tool",
        input: { type: "object", properties, ...rest },
        execute: () => null,
      }),
    );
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;

  it.each<[what: string, properties: JsonSchema, rest?: JsonSchema]>([
    ["sandbox", { sandbox: flag }],
    ["root", { root: text }],
    ["cwd", { cwd: text }],
    ["access", { access: { enum: ["project", "system"] } }],
    ["env", { env: { type: "object" } }],
    ["a shell", { shell: flag }],
    ["unsafe", { unsafe: flag }],
    ["camel case", { allowPrivate: flag }],
    ["snake case", { skip_sandbox: flag }],
    ["acronyms", { disableTLSVerify: flag }],
    ["kebab case", { "dangerously-skip-permissions": flag }],
    ["force", { force: flag }],
    ["sudo", { sudo: flag }],
    ["a proxy", { proxyUrl: text }],
    ["a nested property", { options: { type: "object", properties: { cwd: text } } }],
    ["an item of an array", { edits: { type: "array", items: { type: "object", properties: { root: text } } } }],
    ["one of a union", { target: { anyOf: [text, { type: "object", properties: { env: text } }] } }],
    [
      "a definition",
      { target: { $ref: "#/$defs/a" } },
      { $defs: { a: { type: "object", properties: { force: flag } } } },
    ],
    ["words without a break", { nosandbox: flag }],
    ["plurals", { roots: text }],
    ["another word for the folder", { directory: text }],
    ["links", { followSymlinks: flag }],
    ["a bag of anything", { options: { type: "object", additionalProperties: true } }],
    ["a pattern property", {}, { patternProperties: { "^env_": text } }],
    ["a root union", {}, { oneOf: [{ type: "object", properties: { privileged: flag } }] }],
    ["a description", { mode: { ...text, description: '"full" turns off the sandbox' } }],
    ["a description of outside", { file: { ...text, description: "may lie outside the root folder" } }],
    ["a description of the environment", { vars: { ...text, description: "environment variables to set" } }],
    ["a time without a cap", { timeout: { type: "integer" } }],
    ["a time with a cap that is none", { timeoutMs: { type: "integer", maximum: 10_000_000 } }],
  ])("reports %s", (_, properties, rest) => {
    expect(offences(properties, rest)).not.toEqual([]);
  });

  it.each<[what: string, properties: JsonSchema]>([
    [
      "plain arguments",
      { file: { ...text, description: "path of the file, relative to the root folder" }, lines: text },
    ],
    ["a time with a cap", { timeout: { type: "integer", maximum: 600 } }],
    ["words that only hold a forbidden one", { rooted: text, environmental: text, cwdless: text }],
    ["values, which are no properties", { mode: { enum: ["properties", "root"], default: "root" } }],
  ])("accepts %s", (_, properties) => {
    expect(offences(properties)).toEqual([]);
  });
});
