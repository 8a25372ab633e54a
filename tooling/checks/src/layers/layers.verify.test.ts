import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packages } from "../packages.ts";
import { filesUnder } from "../report/files.ts";
import { packagesIn, type WorkspacePackage, workspaceRoot } from "../workspace.ts";
import { manifestViolationsOf, type SourceFile, sourceName, violationsOf } from "./layers.ts";

describe("the workspace", () => {
  const workspace = packagesIn(workspaceRoot, "packages", "apps");

  it("has packages", () => {
    expect(workspace.map(({ path }) => path)).toContain("packages/protocol");
  });

  it.each(workspace.map((owner) => [owner.path, owner] as const))("%s keeps to its layer", (_path, owner) => {
    const sources = sourcesOf(owner).filter(({ path }) => !path.startsWith("dist/"));
    expect(sources.filter(({ path }) => path.startsWith("src/"))).not.toEqual([]);
    const violations = sources.flatMap((file) => violationsOf(file, owner, workspace));
    expect([...manifestViolationsOf(owner), ...violations]).toEqual([]);
  });

  it.each(workspace.filter(({ manifest }) => manifest.scripts?.build).map((owner) => [owner.path, owner] as const))(
    "%s keeps to its layer as it is built",
    (_path, owner) => {
      const built = sourcesOf(owner).filter(({ path }) => path.startsWith("dist/"));
      const entries = JSON.stringify(owner.manifest.exports ?? {}).match(/(?<=\.\/)dist\/[^"]+/g) ?? [];
      expect(built).not.toEqual([]);
      expect(built.map(({ path }) => path)).toEqual(expect.arrayContaining(entries));
      expect(built.flatMap((file) => violationsOf(file, owner, workspace))).toEqual([]);
    },
  );
});

describe("the layer check", () => {
  const protocol = made("packages/protocol", { exports: { ".": "./dist/index.js", "./testkit": "./dist/testkit.js" } });
  const tools = made("packages/tools", { dependencies: ["@cogency/protocol", "zod"], devDependencies: ["vitest"] });
  const provider = made("packages/provider", { dependencies: ["@cogency/protocol"] });
  const openai = made("packages/provider-openai", {
    dependencies: ["@cogency/protocol", "@cogency/provider", "openai"],
    devDependencies: ["@cogency/storage", "vitest"],
  });
  const agent = made("packages/agent", { dependencies: ["@cogency/protocol", "@cogency/storage"] });
  const server = made("packages/server", { dependencies: ["@cogency/agent"] });
  const cli = made("apps/cli", { devDependencies: ["@cogency/provider-openai", "@tooling/bench"] });
  const workspace = [protocol, tools, provider, openai, agent, server, cli];

  const check = (owner: WorkspacePackage, path: string, text: string) => violationsOf({ path, text }, owner, workspace);

  it.each<[rule: string, owner: WorkspacePackage, path: string, text: string, problem: string]>([
    ["an arrow up", protocol, "src/a.ts", 'import { run } from "@cogency/agent";', "not below it"],
    ["an arrow to a sibling", openai, "src/a.ts", 'import type { Store } from "@cogency/storage";', "not below it"],
    [
      "an adapter in the agent",
      agent,
      "src/a.ts",
      'import { openai } from "@cogency/provider-openai";',
      "not below it",
    ],
    ["a re-export", tools, "src/a.ts", 'export { x } from "@cogency/agent";', "not below it"],
    ["a dynamic import", tools, "src/a.ts", 'const x = await import("@cogency/agent");', "not below it"],
    ["an import type", tools, "src/a.ts", 'export type X = import("@cogency/agent").Agent;', "not below it"],
    ["a require", tools, "src/a.cts", 'const x = require("@cogency/agent");', "not below it"],
    ["an import equals", tools, "src/a.cts", 'import x = require("@cogency/agent");', "not below it"],
    ["a built file", tools, "dist/index.js", 'import { x } from "@cogency/agent";', "not below it"],
    ["a computed import", tools, "src/a.ts", "const x = await import(name);", "computed at run time"],
    ["a package that is no dependency", provider, "src/a.ts", 'import "nanoid/non-secure";', "not in its dependencies"],
    ["a development dependency", tools, "src/a.ts", 'import { it } from "vitest";', "not in its dependencies"],
    ["an unknown package in a test", tools, "src/a.test.ts", 'import { it } from "mocha";', "no dependency"],
    ["an outside import in protocol", protocol, "src/a.ts", 'import { z } from "nanoid";', "not in its dependencies"],
    ["a built-in module", tools, "src/a.ts", 'import { readFile } from "node:fs/promises";', "exists only in Node"],
    ["a built-in module in a testkit", tools, "src/testkit/a.ts", 'import "node:http";', "exists only in Node"],
    [
      "a built-in module in a testkit that is built",
      protocol,
      "dist/testkit.cjs",
      'require("node:http");',
      "only in Node",
    ],
    [
      "a built-in module beside a testkit that has some",
      provider,
      "dist/chunk-1.js",
      'import "node:http";',
      "only in Node",
    ],
    ["a built-in module beside the entry for Node", server, "src/a.ts", 'import "node:http";', "exists only in Node"],
    ["the room for Node outside of it", server, "src/a.ts", 'import { x } from "./node/x.ts";', "exists only in Node"],
    ["the entry for Node in another one", server, "dist/index.js", 'import { x } from "./node.js";', "only in Node"],
    ["a room for Node without an entry", agent, "src/node/a.ts", 'import "node:http";', "exists only in Node"],
    ["a built-in module without prefix", tools, "src/a.ts", 'import { join } from "path";', "exists only in Node"],
    ["a built-in module in a built file", tools, "dist/index.cjs", 'var fs = require("fs");', "exists only in Node"],
    [
      "a built-in module in built types",
      tools,
      "dist/index.d.ts",
      'import { X } from "node:stream";',
      "exists only in Node",
    ],
    ["Node's types", tools, "dist/index.d.ts", '/// <reference types="node" />\nexport {};', "exists only in Node"],
    ["Buffer", tools, "src/a.ts", "export const size = (text: string) => Buffer.byteLength(text);", "uses Buffer"],
    ["process", tools, "src/a.ts", "export const key = process.env.KEY;", "uses process"],
    [
      "process beside a binding of the name",
      tools,
      "src/a.ts",
      "(process: 1) => process;\nprocess.exit();",
      "a.ts:2 uses process",
    ],
    ["a global through globalThis", tools, "src/a.ts", "export const x = globalThis.process;", "uses process"],
    ["a global in a shorthand", tools, "src/a.ts", "export const x = { Buffer };", "uses Buffer"],
    ["a global type of Node", tools, "dist/index.d.ts", "export type T = NodeJS.Timeout;", "uses NodeJS"],
    ["a deep import", tools, "src/a.ts", 'import { x } from "@cogency/protocol/src/parser.ts";', "does not export"],
    [
      "a deep import of built files",
      tools,
      "src/a.test.ts",
      'import "@cogency/protocol/dist/index.js";',
      "does not export",
    ],
    [
      "a relative import that leaves the package",
      tools,
      "src/a.test.ts",
      'import "../../protocol/src/a.ts";',
      "outside",
    ],
    [
      "a testkit at run time",
      tools,
      "src/a.ts",
      'import { vectors } from "@cogency/protocol/testkit";',
      "outside of tests",
    ],
    ["a relative import that leaves src", tools, "src/a.ts", 'import { x } from "../lib/x.ts";', "not in src/"],
    ["a dependency by its path", tools, "src/a.ts", 'import "./node_modules/x/index.js";', "not in src/"],
    ["an absolute path", tools, "src/a.test.ts", 'import "/lib/x.ts";', "outside of the package"],
    ["a source in a built file", tools, "dist/index.js", 'import { x } from "../src/x.ts";', "not in dist/"],
    ["a source in a command", cli, "bin/x.js", 'import "../src/main.ts";', "not in dist/"],
    [
      "what a command should hold",
      cli,
      "dist/x.cjs",
      'require("@cogency/provider-openai");',
      "not in its dependencies",
    ],
    ["tooling in a command", cli, "src/a.ts", 'import { table } from "@tooling/bench";', "at run time"],
    ["a test at run time", tools, "src/a.ts", 'import { x } from "./x.test.ts";', "no part of what is published"],
    [
      "a test without its extension",
      tools,
      "src/a.ts",
      'import { x } from "./x.test";',
      "no part of what is published",
    ],
    ["a benchmark at run time", tools, "src/a.ts", 'import { x } from "./x.bench.ts";', "no part of what is published"],
    [
      "createRequire, whatever its name",
      openai,
      "src/a.ts",
      'import { createRequire as load } from "node:module";',
      "load what this check does not see",
    ],
    ["all of node:module", openai, "src/testkit/a.ts", 'import * as m from "module";', "load what this check"],
    ["node:module in a built file", openai, "dist/index.js", 'await import("node:module");', "load what this check"],
    ["getBuiltinModule", openai, "src/a.ts", 'process.getBuiltinModule("node:module");', "load what this check"],
    ["an arrow up in a .tsx file", tools, "src/a.tsx", 'import { x } from "@cogency/agent";', "not below it"],
    ["a global in a .tsx file", tools, "src/a.tsx", "export const a = <p>{process.env.X}</p>;", "uses process"],
    ["a global in a .mts file", tools, "src/a.mts", "export const a = process.env.X;", "uses process"],
    ["code in an index.mts", tools, "src/index.mts", "export const b = 1;", "index.mts:1 holds"],
    ["global", tools, "src/a.ts", "export const x = global.process;", "uses global"],
    ["a global by a string", tools, "src/a.ts", 'export const x = globalThis["process"];', "uses process"],
    ["a global by a computed string", tools, "src/a.ts", "export const x = globalThis[name];", "uses globalThis"],
    ["a global by a computed symbol", tools, "src/a.ts", "globalThis[Symbol.for(name)];", "uses globalThis"],
    ["globalThis as something else", tools, "src/a.ts", "(globalThis as X)[name];", "uses globalThis"],
    ["a global of globalThis as something else", tools, "src/a.ts", "(globalThis as X).process;", "uses process"],
    ["a global taken apart", tools, "src/a.ts", "const { process: p } = globalThis;", "uses globalThis"],
    ["globalThis under another name", tools, "src/a.ts", "const g = globalThis;\ng.process;", "uses globalThis"],
    ["a type of a global", tools, "src/a.ts", "export type P = typeof globalThis.process;", "uses process"],
    ["Node's types in a source", tools, "src/a.ts", '/// <reference types="node" />', "exists only in Node"],
    ["a part of Node's types", tools, "src/a.ts", '/// <reference types="node/fs" />', "exists only in Node"],
    [
      "a path to Node's types",
      tools,
      "src/a.ts",
      '/// <reference path="../node_modules/@types/node/index.d.ts" />',
      "not in src/",
    ],
    ["its own name", tools, "src/a.ts", 'import { defineTool } from "@cogency/tools";', "by its own name"],
    ["zod in a provider", openai, "src/a.test.ts", 'import * as z from "zod/mini";', 'imports "zod/mini"'],
    ["export * in an index", tools, "src/index.ts", 'export * from "./a.ts";', "instead of names"],
    ["export * as in an index", tools, "src/index.ts", 'export * as a from "./a.ts";', "instead of names"],
    ["code in an index", tools, "src/index.ts", 'export { a } from "./a.ts";\nexport const b = 1;', "index.ts:2 holds"],
    [
      "an import in an index",
      tools,
      "src/testkit/index.ts",
      'import { a } from "./a.ts";\nexport { a };',
      "something else",
    ],
    ["an empty index", tools, "src/index.ts", "export {};", "something else"],
    ["an unknown package", made("packages/helpers", {}), "src/a.ts", "export const a = 1;", "not in the table"],
  ])("refuses %s", (_rule, owner, path, text, problem) => {
    const violations = check(owner, path, text);
    expect(violations.join("\n")).toContain(problem);
    expect(violations[0]).toContain(owner.path);
  });

  it.each<[rule: string, owner: WorkspacePackage, path: string, text: string]>([
    ["an arrow down", tools, "src/a.ts", 'import type { Json } from "@cogency/protocol";'],
    ["a dependency", tools, "src/a.ts", 'import * as z from "zod";'],
    ["a relative import", tools, "src/deep/a.ts", 'import { b } from "../b.ts";'],
    [
      "a built-in module in an adapter",
      openai,
      "src/a.ts",
      'import { readFile } from "node:fs/promises";\nprocess.env.X;',
    ],
    ["its package.json", tools, "src/a.ts", 'import { version } from "../package.json";'],
    ["a command that starts what is built", cli, "bin/x.js", 'import "../dist/main.js";'],
    ["a test's helpers", tools, "src/a.test.ts", 'import { x } from "../test/x.ts";'],
    ["node:module in an app", cli, "src/a.ts", 'import { createRequire } from "node:module";'],
    ["a registered symbol", tools, "src/a.ts", '(globalThis as X)[Symbol.for("a.b")];'],
    ["a global of every platform", tools, "src/a.ts", 'globalThis.queueMicrotask(f);\nglobalThis["fetch"](url);'],
    ["a declaration of globals", tools, "src/a.ts", "declare global {\n  var answer: number;\n}\nexport {};"],
    ["a reference to a file beside it", tools, "src/a.ts", '/// <reference path="b.d.ts" />'],
    ["a testkit in a test", tools, "src/a.test.ts", 'import { vectors } from "@cogency/protocol/testkit";'],
    ["a server in the testkit of providers", provider, "src/testkit/a.ts", 'import "node:http"; process.pid;'],
    ["a server in their testkit as it is built", provider, "dist/testkit.cjs", 'require("node:http"); process.pid;'],
    ["a server in the entry for Node", server, "src/node/a.ts", 'import "node:http";\nimport "../handler.ts";'],
    ["a server in that entry as it is built", server, "dist/node.cjs", 'require("node:http"); process.pid;'],
    ["a testkit in a testkit", tools, "src/testkit/a.ts", 'import { vectors } from "@cogency/protocol/testkit";'],
    ["Node in a test", tools, "src/a.test.ts", 'import { readFileSync } from "node:fs";\nprocess.cwd();'],
    ["a development dependency in a test", openai, "test/a.ts", 'import { memoryStore } from "@cogency/storage";'],
    ["its own name in a test", tools, "src/a.test.ts", 'import { defineTool } from "@cogency/tools";'],
    [
      "members and bindings named like a global",
      tools,
      "src/a.ts",
      "class A { process(Buffer: A) { return Buffer.process({ process: 1 }); } }",
    ],
    ["a global's name in text", tools, "src/a.ts", '/** Runs without process. */\nexport const a = "Buffer";'],
    [
      "named exports in an index",
      tools,
      "src/index.ts",
      'export type { A } from "./a.ts";\nexport { b, default } from "./b.ts";',
    ],
    ["a computed import in an app", cli, "src/load.ts", "const x = await import(name);"],
    ["an adapter in an app", cli, "src/a.ts", 'import { openai } from "@cogency/provider-openai";'],
  ])("accepts %s", (_rule, owner, path, text) => {
    expect(check(owner, path, text)).toEqual([]);
  });

  it.each<[rule: string, owner: WorkspacePackage, problem: string]>([
    ["a dependency of protocol", made("packages/protocol", { dependencies: ["nanoid"] }), "must depend on nothing"],
    ["a dependency on a sibling", made("packages/storage", { dependencies: ["@cogency/tools"] }), "not below it"],
    ["zod for a provider's tests", made("packages/provider", { devDependencies: ["zod"] }), "depends on zod"],
    ["tooling at run time", made("packages/tools", { dependencies: ["@tooling/bench"] }), "at run time"],
    ["a dependency of a command", made("apps/cli", { dependencies: ["commander"] }), "which its bundle should hold"],
    ["an unknown package", made("packages/helpers", {}), "not in the table"],
  ])("refuses in a package.json %s", (_rule, owner, problem) => {
    expect(manifestViolationsOf(owner).join("\n")).toContain(problem);
  });

  it("names only packages of the table in the table", () => {
    const imported = Object.values(packages).flatMap(({ imports }) => (imports === "all" ? [] : imports));
    expect(imported.filter((name) => !(`packages/${name}` in packages))).toEqual([]);
  });
});

function sourcesOf({ folder }: WorkspacePackage): SourceFile[] {
  const paths = filesUnder(folder).filter((path) => sourceName.test(path));
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}

function made(
  path: string,
  manifest: { exports?: Record<string, string>; dependencies?: string[]; devDependencies?: string[] },
): WorkspacePackage {
  const versions = (names: string[] = []) => Object.fromEntries(names.map((name) => [name, "1.0.0"]));
  return {
    path,
    folder: `/made-up/${path}`,
    manifest: {
      name: `@cogency/${path.split("/")[1]}`,
      exports: manifest.exports ?? { ".": "./dist/index.js" },
      dependencies: versions(manifest.dependencies),
      devDependencies: versions(manifest.devDependencies),
    },
  };
}
