import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { serverTool } from "../../../test/support/server-tool.ts";
import { askedTool, keepAsked, mostAsked } from "./asked-definitions.ts";
import { definitionOf, fingerprintOf } from "./definition.ts";

let folder: string;
beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), "cogency-asked-"));
  folder = join(parent, "mcp-asked");
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
});

const tool = serverTool();
const hash = fingerprintOf(tool);
const keep = (given = tool, scope = "/here", place: string | undefined = "yours") =>
  keepAsked(given, scope, place, folder);
const find = (scope?: string, wanted = hash) => askedTool(wanted, scope, folder);
const onlyFile = () => join(folder, readdirSync(folder)[0] ?? "");

it("what a run asks about is found by its fingerprint, in a file for its owner only", () => {
  expect(keep()).toBeUndefined();
  const { definedBy, name } = tool;
  expect(find("/here")).toEqual({ definedBy, name, hash, place: "yours", definition: definitionOf(tool) });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toHaveLength(1);
});

it("a tool of the program itself is not kept", () => {
  const { definedBy: _, ...own } = tool;
  expect(keep(own)).toBeUndefined();
  expect(() => readdirSync(folder)).toThrow();
});

it("two folders may have the same tool from different places: each conversation names its own, and one of neither names none", () => {
  keep(tool, "/here", "yours");
  keep(tool, "/there", ".mcp.json");
  expect([find("/here")?.place, find("/there")?.place]).toEqual(["yours", ".mcp.json"]);
  for (const scope of [undefined, "/elsewhere"]) {
    expect(find(scope)).toMatchObject({ name: tool.name });
    expect(find(scope)?.place).toBeUndefined();
  }
});

it.each([
  ["holds another definition than its name says", (text: string) => text.replace("Creates", "Deletes")],
  ["holds another server", (text: string) => text.replace("mcp.example.com", "evil.example")],
  ["is broken", (text: string) => text.slice(0, 20)],
  ["holds something else", () => "null"],
])("a file that %s counts as none", (_, change) => {
  keep();
  writeFileSync(onlyFile(), change(readFileSync(onlyFile(), "utf8")));
  expect(find("/here")).toBeUndefined();
});

it.each(["", "../mcp-logins", `${hash}/..`, hash.toUpperCase(), "x".repeat(64)])(
  "a log names no other file: %j",
  (wanted) => {
    keep();
    expect(find("/here", wanted)).toBeUndefined();
  },
);

it("a definition that is too long is not kept; which server it is, stays known", () => {
  const long = serverTool({ description: "x".repeat(70_000) });
  keep(long);
  expect(statSync(onlyFile()).size).toBeLessThan(1000);
  expect(find("/here", fingerprintOf(long))).toEqual({
    definedBy: tool.definedBy,
    name: tool.name,
    hash: fingerprintOf(long),
    place: "yours",
  });
});

it(`of more than ${mostAsked} files, those that were needed last stay`, () => {
  keep();
  const old = new Date(1_000_000);
  utimesSync(onlyFile(), old, old);
  for (let at = 0; at < mostAsked; at++) keep(serverTool({ name: `s__${at}` }));
  expect(readdirSync(folder)).toHaveLength(mostAsked);
  expect(find("/here")).toBeUndefined();
  const needed = serverTool({ name: "s__0" });
  const file = readdirSync(folder).find((name) => name.startsWith(fingerprintOf(needed))) ?? "";
  utimesSync(join(folder, file), old, old);
  keep(needed);
  keep();
  expect(find("/here", fingerprintOf(needed))).toBeDefined();
});

it("says why a definition cannot be kept", () => {
  writeFileSync(folder, "a file in its place");
  expect(keep()).toMatch(/EEXIST|ENOTDIR/);
  expect(find()).toBeUndefined();
});
