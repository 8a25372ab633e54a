import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ownImports } from "./own-imports.ts";

/** The files that `entry.mjs` imports, among these. */
function importsOf(entry: string, files: Record<string, string>, most = 1_000_000): string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-own-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync("/dev/zero", join(folder, "zero.mjs"));
  const found = ownImports({ real: join(folder, "entry.mjs"), bytes: Buffer.from(entry) }, most);
  return found.map(({ real }) => relative(folder, real));
}

it.each<[what: string, entry: string, found: string[]]>([
  ["static imports and exports", 'import a from "./a.mjs"; export * from "./b.mjs";', ["a.mjs", "b.mjs"]],
  ["an import for its effects, and a dynamic one", "import './a.mjs'; await import(`./b.mjs`);", ["a.mjs", "b.mjs"]],
  ["require, which completes a path", 'require("./c"); require("./d");', ["c.js", "d/index.js"]],
  ["what they import in turn, in a circle, too", 'import "./deep.mjs";', ["a.mjs", "deep.mjs"]],
  [
    "no packages, no devices, and nothing that is not there",
    'import "a"; import "./zero.mjs"; import "./none.mjs";',
    [],
  ],
  ["none of a path that is put together", 'import("./" + "a.mjs");', []],
  ["a path with a query", 'import "./a.mjs?x";', ["a.mjs"]],
])("finds %s", (_, entry, found) => {
  const files = {
    ...{ "a.mjs": 'import "./deep.mjs"', "b.mjs": "", "c.js": "", "d/index.js": "" },
    ...{ "deep.mjs": 'import "./a.mjs"; import "./entry.mjs";', "entry.mjs": entry },
  };
  const expected = found.includes("a.mjs") && !found.includes("deep.mjs") ? [...found, "deep.mjs"] : found;
  expect(importsOf(entry, files)).toEqual(expected.toSorted());
});

it("reads no more bytes and no more files than a module may have", () => {
  const long = { "a.mjs": "x".repeat(900), "b.mjs": "x".repeat(900) };
  expect(importsOf('import "./a.mjs"; import "./b.mjs";', long, 1000)).toEqual(["a.mjs"]);
  const names = Array.from({ length: 600 }, (_, index) => `m${index}.mjs`);
  const many = Object.fromEntries(names.map((name) => [name, ""]));
  expect(importsOf(names.map((name) => `import "./${name}";`).join("\n"), many).length).toBeLessThanOrEqual(500);
});

it("reads a text of blanks in time that grows with its length", () => {
  expect(importsOf(`from${" ".repeat(2_000_000)}`, {}, 4_000_000)).toEqual([]);
});
