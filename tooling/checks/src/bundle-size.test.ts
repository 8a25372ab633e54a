import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measure } from "./bundle-size.ts";

describe("measure", () => {
  const root = mkdtempSync(join(tmpdir(), "bundle-size-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  beforeAll(() => {
    const files = {
      "packages/p/package.json": '{ "name": "p", "type": "module", "sideEffects": false, "exports": "./index.js" }',
      "packages/p/index.js": `export const small = () => "small";
        export const evaluated = (text) => new Function(text);
        export { schema } from "zod";`,
      "packages/n/package.json": '{ "name": "n", "type": "module", "exports": "./index.js" }',
      "packages/n/index.js": 'export { readFile } from "node:fs/promises";',
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
    forbidden = [/\bnew Function\b/],
    path = "packages/p",
  ) => (await measure({ path, ...(names && { names }), ceiling, forbidden }, root)).problems.join();

  it("is content with a bundle within its budget", async () => {
    const outcome = await measure(
      { path: "packages/p", names: ["small"], ceiling: 1000, forbidden: [/\bnew Function\b/] },
      root,
    );
    expect(outcome).toEqual({
      item: "packages/p { small }",
      note: expect.stringMatching(/^0\.0\d kB of 1\.00 kB$/),
      problems: [],
    });
  });

  it("tells by how many bytes a bundle is too heavy", async () => {
    expect(await problems(["small"], 10)).toMatch(/weighs \d+ bytes too much/);
  });

  it("finds forbidden text", async () => {
    expect(await problems(["evaluated"])).toBe("holds /\\bnew Function\\b/");
  });

  it("finds forbidden modules", async () => {
    expect(await problems(["schema"])).toBe("contains zod");
  });

  it("finds what no browser has", async () => {
    expect(await problems(undefined, 1000, [], "packages/n")).toContain('Could not resolve "node:fs/promises"');
  });

  it("finds names and packages that do not exist", async () => {
    expect(await problems(["large"])).toContain("large");
    expect(await problems(["small"], 1000, [], "packages/q")).toContain("ENOENT");
  });
});
