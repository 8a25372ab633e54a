import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeFromText, packages } from "../packages.ts";
import { publishablePackages } from "../workspace.ts";
import { type MeasuredBundle, measure, measuredBundles } from "./bundle-size.ts";

describe("the table of packages", () => {
  it("gives every package that is published a ceiling", () => {
    const paths = publishablePackages().map(({ path }) => path);
    const weighed = paths.filter((path) => packages[path]?.shipped);
    expect([...measuredBundles().map(({ path }) => path), ...weighed]).toEqual(expect.arrayContaining(paths));
  });

  it("forbids code from text to all", () => {
    expect(
      measuredBundles().filter(({ forbidden }) => !codeFromText.every((pattern) => forbidden.includes(pattern))),
    ).toEqual([]);
  });
});

describe("measure", () => {
  const root = mkdtempSync(join(tmpdir(), "bundle-size-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  beforeAll(() => {
    const files = {
      "packages/p/package.json": '{ "name": "p", "type": "module", "sideEffects": false, "exports": "./index.js" }',
      "packages/p/index.js": `export const small = () => "small";
        export const constructed = (text) => new Function(text);
        export const called = (text) => Function(text);
        export { evaluated } from "./evaluated.js";
        export const indirect = (text) => (0, eval)(text);
        export const optional = (text) => eval?.(text);
        export const harmless = (isFunction, medieval, x) => x instanceof Function && isFunction(medieval("x"));
        export { schema } from "zod";`,
      // In a separate file, because nothing can be tree-shaken from a file that calls eval directly.
      "packages/p/evaluated.js": "export const evaluated = (text) => eval(text);",
      "packages/n/package.json": '{ "name": "n", "type": "module", "exports": "./index.js" }',
      "packages/n/index.js": 'export { readFile } from "node:fs/promises";',
      "packages/b/package.json": '{ "name": "b", "type": "module", "sideEffects": false, "exports": "./index.js" }',
      "packages/b/index.js": `export const shared = [${Array.from({ length: 99 }, (_, n) => n * n * 7919)}];`,
      "packages/b/beside.js": 'import { shared } from "./index.js"; export const more = () => ["more", ...shared];',
      "packages/a/package.json": '{ "name": "@cogency/a", "type": "module", "exports": "./index.js" }',
      "packages/a/index.js": `export { readFile } from "node:fs/promises";
        export { schema } from "zod";
        export { b } from "@cogency/b";`,
      "packages/a/main.js": 'import "commander"; console.log("started");',
      "packages/a/node_modules/@cogency/b/package.json": '{ "name": "@cogency/b", "exports": "./index.js" }',
      "packages/a/node_modules/@cogency/b/index.js": `export const b = "${"long ".repeat(9)}";`,
      "packages/p/node_modules/zod/package.json":
        '{ "name": "zod", "type": "module", "exports": "./index.js", "sideEffects": false }',
      "packages/p/node_modules/zod/index.js": "export const schema = { parse: (x) => x };",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });

  const problems = async (
    names: string[] | undefined,
    ceiling = 1000,
    forbidden: MeasuredBundle["forbidden"] = codeFromText,
    path = "packages/p",
  ) => (await measure({ path, ...(names && { names }), ceiling, forbidden }, root)).problems.join();

  it("accepts a bundle within its budget", async () => {
    const outcome = await measure(
      { path: "packages/p", names: ["small"], ceiling: 1000, forbidden: codeFromText },
      root,
    );
    expect(outcome).toEqual({
      item: "packages/p { small }",
      note: expect.stringMatching(/^0\.0\d kB of 1\.00 kB$/),
      problems: [],
    });
  });

  it("says by how many bytes a bundle exceeds its ceiling", async () => {
    expect(await problems(["small"], 10)).toMatch(/weighs \d+ bytes too much/);
  });

  it.each(["constructed", "called", "evaluated", "indirect", "optional"])("finds code from text: %s", async (name) => {
    expect(await problems([name])).toMatch(/^holds /);
  });

  it("accepts functions whose names only resemble those that make code from text", async () => {
    expect(await problems(["harmless"])).toBe("");
  });

  it("finds forbidden modules", async () => {
    expect(await problems(["schema"])).toBe("contains zod");
  });

  it("finds uses of what browsers lack", async () => {
    expect(await problems(undefined, 1000, [], "packages/n")).toContain('Could not resolve "node:fs/promises"');
  });

  it("leaves built-in modules and other people's packages out of a bundle for Node, but includes our own", async () => {
    const forNode = { path: "packages/a", isForNode: true, forbidden: [/long long/] } as const;
    expect((await measure({ ...forNode, ceiling: 1000 }, root)).problems).toEqual(["holds /long long/"]);
    expect((await measure({ ...forNode, ceiling: 10 }, root)).problems[0]).toMatch(/weighs \d+ bytes too much/);
  });

  it("measures a file that is no entry", async () => {
    const budget: MeasuredBundle = {
      path: "packages/a",
      file: "./main.js",
      isForNode: true,
      ceiling: 100,
      forbidden: [],
    };
    expect(await measure(budget, root)).toMatchObject({ item: "packages/a ./main.js", problems: [] });
    expect((await measure({ ...budget, file: "./gone.js" }, root)).problems.join()).toContain("gone.js");
  });

  it("measures what a file adds to the main entry", async () => {
    const beside: MeasuredBundle = {
      path: "packages/b",
      file: "./beside.js",
      besideMain: true,
      ceiling: 100,
      forbidden: [],
    };
    const { note, problems } = await measure(beside, root);
    expect({ note, problems }).toEqual({
      note: expect.stringMatching(/^0\.0\d kB of 0\.10 kB beside the main entry$/),
      problems: [],
    });
    const alone = await measure({ ...beside, besideMain: undefined }, root);
    expect(alone.problems.join()).toMatch(/weighs \d+ bytes too much/);
  });

  it("finds names and packages that do not exist", async () => {
    expect(await problems(["large"])).toContain("large");
    expect(await problems(["small"], 1000, [], "packages/q")).toContain("ENOENT");
  });
});
