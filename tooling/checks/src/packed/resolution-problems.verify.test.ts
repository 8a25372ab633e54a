import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolutionProblems } from "./resolution-problems.ts";

const root = mkdtempSync(join(tmpdir(), "resolution-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const entry = (name: string, requireTypes = `./dist/${name}.d.cts`) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: requireTypes, default: `./dist/${name}.cjs` },
});
const manifest = { name: "a", version: "1.0.0", type: "module", exports: { ".": entry("a"), "./testkit": entry("b") } };
const files = {
  ...filesOf("a"),
  ...filesOf("b"),
  "package.json": JSON.stringify(manifest),
};

describe("the check of types and code in a tarball", () => {
  it("accepts entries with types of their own for both kinds of module, although node10 finds no ./testkit", async () => {
    expect(await problemsOf(files)).toEqual([]);
  });

  it.each<[what: string, changed: Record<string, string>, problems: string[]]>([
    [
      "types of an ES module for CommonJS",
      { "package.json": JSON.stringify({ ...manifest, exports: { ".": entry("a", "./dist/a.d.ts") } }) },
      ['".", resolved as node16-cjs: Types are ESM, but implementation is CJS (FalseESM)'],
    ],
    [
      "an entry without types",
      {
        "package.json": JSON.stringify({ ...manifest, exports: { ".": entry("a"), "./c": "./dist/c.js" } }),
        "dist/c.js": "",
      },
      [
        '"./c", resolved as node16-cjs: Could not find types (UntypedResolution)',
        '"./c", resolved as node16-cjs: Entrypoint is ESM-only (CJSResolvesToESM)',
        '"./c", resolved as node16-esm: Could not find types (UntypedResolution)',
        '"./c", resolved as bundler: Could not find types (UntypedResolution)',
      ],
    ],
    [
      "types that import a file without its extension",
      { "dist/b.d.ts": 'export * from "./a";' },
      ['"./testkit", resolved as node16-esm: Internal resolution error (InternalResolutionError)'],
    ],
  ])("finds %s", async (_what, changed, problems) => {
    expect(await problemsOf({ ...files, ...changed })).toEqual(problems);
  });

  it("finds that there are no types at all", async () => {
    const untyped = { "package.json": '{ "name": "a", "version": "1.0.0", "exports": "./a.js" }', "a.js": "" };
    expect(await problemsOf(untyped)).toEqual(["has no types"]);
  });

  it("finds that there is nothing to import", async () => {
    const closed = {
      ...files,
      "package.json": JSON.stringify({ ...manifest, exports: { "./package.json": "./package.json" } }),
    };
    expect(await problemsOf(closed)).toEqual(["has no entry"]);
  });
});

function filesOf(name: string): Record<string, string> {
  return {
    [`dist/${name}.js`]: "export const x = 1;",
    [`dist/${name}.cjs`]: "exports.x = 1;",
    [`dist/${name}.d.ts`]: "export declare const x: number;",
    [`dist/${name}.d.cts`]: "export declare const x: number;",
  };
}

/** Packs files as npm does and checks the tarball. */
function problemsOf(packed: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(root, "tarball-"));
  for (const [path, text] of Object.entries(packed)) {
    const file = join(folder, "package", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  execFileSync("tar", ["-czf", "a.tgz", "package"], { cwd: folder });
  return resolutionProblems(readFileSync(join(folder, "a.tgz")));
}
