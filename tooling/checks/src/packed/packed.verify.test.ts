import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workspaceRoot } from "../workspace.ts";
import { commandProblems } from "./packed-commands.ts";
import { entryProblems } from "./packed-entries.ts";
import { type Installation, install, installedPackage } from "./packed-install.ts";
import { linkProblems } from "./packed-links.ts";
import { manifestProblems } from "./packed-manifest.ts";
import { type RuntimeNames, runtimeNames } from "./packed-runtime.ts";
import { sourceMapProblems } from "./packed-source-maps.ts";
import { tarballProblems } from "./packed-tarball.ts";
import { type TypeProblem, typeProblems } from "./packed-types.ts";

const both = {
  import: { types: "./dist/index.d.ts", default: "./dist/index.js" },
  require: { types: "./dist/index.d.cts", default: "./dist/index.cjs" },
};
const exports = { ".": both, "./package.json": "./package.json" };
const main = "./dist/index.cjs";
const repository = { type: "git", url: "git+https://example.org/a.git", directory: "packages/a" };

/** Unpacked tarballs: first one without problems, then one for each kind of problem. */
const tarballs: Record<string, { manifest?: object; files: Record<string, string> }> = {
  right: {
    files: {
      "README.md": "# right",
      LICENSE: "MIT",
      "dist/index.js": "export const one = 1; export default 2;",
      "dist/index.cjs": "module.exports = { one: 1, default: 2 };",
      "dist/index.d.ts":
        "export declare const one: number; declare const two: number; export default two; export type T = 1;",
      "dist/index.d.cts":
        "export declare const one: number; declare const two: number; export default two; export type T = 1;",
    },
  },
  "esm-only": {
    manifest: { exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } },
    files: { "dist/index.js": "export const one = 1;", "dist/index.d.ts": "export declare const one: 1;" },
  },
  different: {
    files: {
      "dist/index.js": "export const one = 1; export const two = 2;",
      "dist/index.cjs": "module.exports = { one: 1 };",
      "dist/index.d.ts": "export declare const one: number; export declare const three: number;",
      "dist/index.d.cts": "export declare const one: number, two: Missing;",
    },
  },
  commands: {
    manifest: { exports: {}, bin: { helpful: "./bin/helpful.js", helpless: "./bin/helpless.js" } },
    files: { "bin/helpful.js": 'console.log("usage");', "bin/helpless.js": "process.exitCode = 2;" },
  },
  undeclared: {
    manifest: {
      dependencies: { "@cogency/right": "workspace:*", "@cogency/gone": "0.0.0", "@cogency/different": "^0.0.1" },
    },
    files: {
      "dist/index.js": 'export { one } from "@cogency/esm-only";',
      "dist/index.cjs": 'exports.one = require("@cogency/right").one;',
      "dist/index.d.ts": 'export { one } from "@cogency/esm-only";',
      "dist/index.d.cts": 'export { one } from "@cogency/right";',
      "src/index.test.ts": "",
      "dist/paths.js": `"${workspaceRoot}packages"`,
      "dist/index.test.js": "",
      "docs/a-page.md": "",
      "docs/draft.txt": "",
    },
  },
};

describe("the packed check", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "packed-test-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  let installation: Installation;
  let names: RuntimeNames[];
  let types: TypeProblem[];
  beforeAll(async () => {
    for (const [name, { manifest, files }] of Object.entries(tarballs)) {
      const packed = { name: `@cogency/${name}`, version: "0.0.0", type: "module", exports, main, ...manifest };
      for (const [path, text] of Object.entries({ "package.json": JSON.stringify(packed), ...files })) {
        mkdirSync(dirname(join(root, name, path)), { recursive: true });
        writeFileSync(join(root, name, path), text);
      }
    }
    const packages = Object.keys(tarballs).map((name) => {
      const source = { path: `packages/${name}`, folder: join(root, "source", name), manifest: { name } };
      return installedPackage(source, join(root, name));
    });
    installation = install(packages, join(root, "consumer"));
    names = await runtimeNames(installation);
    types = typeProblems(installation, names);
  });

  const find = (name: string) => {
    const installed = installation.packages.find(({ manifest }) => manifest.name === `@cogency/${name}`);
    if (!installed) throw new Error(`No package ${name}`);
    return installed;
  };
  const contentOf = (name: string) => tarballProblems(find(name), installation);
  const runtimeOf = (name: string) =>
    names.flatMap(({ entry, problems }) => (entry.owner === find(name) ? problems : []));
  const typesOf = (name: string) => types.flatMap(({ owner, problem }) => (owner === find(name) ? [problem] : []));

  it("finds nothing wrong with a package that is right", () => {
    expect([...contentOf("right"), ...runtimeOf("right"), ...typesOf("right")]).toEqual([]);
    expect(names.find(({ entry }) => entry.owner === find("right"))).toMatchObject({
      esm: ["default", "one"],
      cjs: ["default", "one"],
    });
  });

  it.each<[case_: string, path: string, manifest: object, problems: string[]]>([
    ["a package that is right", "packages/right", { exports, main }, []],
    ["a command", "apps/cli", { exports: { "./package.json": "./package.json" } }, []],
    ["an ES module alone", "packages/esm", { exports: { ".": { import: both.import } } }, ['no "require"', '"main"']],
    [
      "an ES module for require",
      "packages/esm",
      { exports: { ".": { ...both, require: "./a.js" } }, main },
      ['no "require"'],
    ],
    [
      "a main that is an ES module",
      "packages/esm",
      { exports, main: "./dist/index.js" },
      ['"main" names no .cjs file'],
    ],
    ["nothing to import", "packages/empty", { exports: {}, main }, ['lacks "."']],
    [
      "protocol as documented",
      "packages/protocol",
      {
        exports: {
          ...exports,
          "./grammar": both,
          "./host": both,
          "./options": both,
          "./parts": both,
          "./testkit": both,
          "./why": both,
        },
        main,
      },
      [],
    ],
    [
      "protocol without its other entries",
      "packages/protocol",
      { exports, main },
      [
        'lacks "./grammar"',
        'lacks "./host"',
        'lacks "./options"',
        'lacks "./parts"',
        'lacks "./testkit"',
        'lacks "./why"',
      ],
    ],
    [
      "storage without testkit",
      "packages/storage",
      { exports: { ...exports, "./adapter": both }, main },
      ['lacks "./testkit"'],
    ],
    [
      "a testkit without CommonJS",
      "packages/storage",
      { exports: { ...exports, "./adapter": both, "./testkit": { import: both.import } }, main },
      ['exports["./testkit"] has no "require"'],
    ],
  ])("holds the entries against what is documented: %s", (_case, path, manifest, problems) => {
    const folder = join(root, "entries", path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: path, ...manifest }));
    const source = { path, folder, manifest: { name: path } };
    expect(entryProblems(installedPackage(source, folder))).toEqual(
      problems.map((one) => expect.stringContaining(one)),
    );
  });

  it("does not require a package without a require condition", () => {
    expect([...runtimeOf("esm-only"), ...typesOf("esm-only")]).toEqual([]);
    expect(names.find(({ entry }) => entry.owner === find("esm-only"))).toMatchObject({ esm: ["one"], cjs: undefined });
  });

  it("finds files that are missing and files that do not belong", () => {
    expect(contentOf("esm-only")).toEqual([
      "README.md is missing from the tarball",
      "LICENSE is missing from the tarball",
    ]);
    expect(contentOf("undeclared")).toEqual(
      expect.arrayContaining([
        "dist/index.test.js does not belong into the tarball",
        "src/index.test.ts does not belong into the tarball",
        "docs/draft.txt does not belong into the tarball",
        "dist/paths.js holds a path of this machine",
      ]),
    );
  });

  it.each<[case_: string, changed: object, problems: string[]]>([
    ["one that is complete", {}, []],
    ["one without description and keywords", { description: "", keywords: [] }, ['"description"', '"keywords"']],
    ["one without repository", { repository: undefined }, ['"repository" is not {"type":"git","url":"git+https:']],
    [
      "one with the folder of another package",
      { repository: { ...repository, directory: "apps/b" } },
      ['"packages/a"}'],
    ],
    ["one of another repository", { repository: { ...repository, url: "git+https://else.example" } }, ["is not"]],
    ["one that repeats the address", { homepage: "https://x", bugs: "https://x" }, ['"homepage"', '"bugs"']],
  ])("holds the manifest against that of the workspace: %s", (_case, changed, problems) => {
    const manifest = { name: "a", description: "A", keywords: ["a"], repository, ...changed };
    const folder = join(root, "manifests");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const installed = installedPackage({ path: "packages/a", folder, manifest: { name: "a" } }, folder);
    const { directory: _, ...ofWorkspace } = repository;
    expect(manifestProblems(installed, { name: "workspace", repository: ofWorkspace })).toEqual(
      problems.map((one) => expect.stringContaining(one)),
    );
  });

  it.each<[link: string, problem: string | undefined]>([
    ["https://example.org/page", undefined],
    ["#mine", undefined],
    ["docs/page.md#there", undefined],
    ["docs/unpacked.md", "leads to no file of the tarball"],
    ["../sibling", undefined],
    ["../sibling/README.md#told", undefined],
    ["../gone", "leads to no file of the repository"],
    ["/docs/page.md", "begins with a slash, which the registry does not resolve"],
  ])("follows the links of a README: %s", (link, problem) => {
    const place = mkdtempSync(join(root, "links-"));
    const files = {
      "repository/packages/a/docs/unpacked.md": "",
      "repository/packages/sibling/README.md": "# Told",
      "unpacked/package.json": '{ "name": "a" }',
      "unpacked/docs/page.md": "## There\n[up](../README.md)",
      "unpacked/README.md": `## Mine\n\`\`\`md\n[no link](nowhere.md)\n\`\`\`\n[link](${link})\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    const source = { path: "packages/a", folder: place, manifest: { name: "a" } };
    const installed = installedPackage(source, join(place, "unpacked"));
    expect(linkProblems(installed, join(place, "repository"))).toEqual(
      problem === undefined ? [] : [`README.md: the link ${link} ${problem}`],
    );
  });

  it.each<[case_: string, changed: Record<string, string>, problems: string[]]>([
    ["a file with its map and its source", {}, []],
    [
      "a file without a map",
      { "dist/index.js": "function one() {}" },
      ["dist/index.js: names no source map of its own"],
    ],
    ["a map that is not packed", { "dist/index.js.map": "" }, ["dist/index.js: its source map is missing"]],
    [
      "a source that is not packed",
      { "src/one.ts": "" },
      ["dist/index.js: its source ../src/one.ts is not in the tarball"],
    ],
    [
      "another source than the one that was built",
      { "src/one.ts": "// new\nfunction two() {}" },
      ["dist/index.js: its source map leads one of line 1 to a line without it"],
    ],
    [
      "an empty map",
      { "dist/index.js.map": JSON.stringify({ version: 3, sources: [], names: [], mappings: "" }) },
      ["dist/index.js: its source map is empty"],
    ],
  ])("follows source maps: %s", (_case, changed, problems) => {
    const folder = mkdtempSync(join(root, "maps-"));
    // Column 9 of the first line stands for column 9 of the second line of the source.
    const map = { version: 3, sources: ["../src/one.ts"], names: [], mappings: "SACS" };
    const files = {
      "package.json": '{ "name": "a" }',
      "dist/index.js": "function one() {}\n//# sourceMappingURL=index.js.map\n",
      "dist/index.js.map": JSON.stringify(map),
      "src/one.ts": "// The first.\nfunction one() {}\n",
      ...changed,
    };
    for (const [path, text] of Object.entries(files)) {
      if (text === "") continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const source = { path: "packages/a", folder, manifest: { name: "a" } };
    expect(sourceMapProblems(installedPackage(source, folder))).toEqual(problems);
  });

  it("takes pages of documentation", () => {
    expect(contentOf("undeclared").filter((problem) => problem.includes("a-page"))).toEqual([]);
  });

  it("finds dependencies that no user could install", () => {
    expect(contentOf("undeclared")).toEqual(
      expect.arrayContaining([
        '@cogency/right: "workspace:*" is not resolved',
        "@cogency/gone is not published",
        '@cogency/different: "^0.0.1" is not the packed version 0.0.0',
      ]),
    );
  });

  it("finds exports that differ between import and require", () => {
    expect(runtimeOf("different")).toEqual(['require("@cogency/different") gives one, import gives one,two']);
  });

  it("finds an import that the manifest does not declare, when run and in types", () => {
    expect(runtimeOf("undeclared")).toEqual([expect.stringContaining("Cannot find package '@cogency/esm-only'")]);
    expect(typesOf("undeclared")).toContainEqual(
      expect.stringMatching(/bundler, dist\/index\.d\.ts: TS2307 .*esm-only/),
    );
  });

  it("finds commands that cannot print their help", async () => {
    expect(await commandProblems(installation)).toEqual([
      { owner: find("commands"), problem: "helpless --help prints nothing or fails (exit code 2)" },
    ]);
  });

  it("finds types that differ from what is there", () => {
    expect(typesOf("different")).toEqual(
      expect.arrayContaining([
        "moduleResolution bundler, from a .ts file: @cogency/different types three, which is not there",
        "moduleResolution node16, from a .mts file: @cogency/different has two, which is not typed",
        expect.stringMatching(/^moduleResolution node16, dist\/index\.d\.cts: TS2304 Cannot find name 'Missing'/),
      ]),
    );
  });
});
