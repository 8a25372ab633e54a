import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.ts";

const site = mkdtempSync(join(tmpdir(), "bundle-"));
afterAll(() => rmSync(site, { recursive: true, force: true }));
const manifest = '{ "type": "module", "exports": "./index.js" }';
const files = {
  "program/page.html": "a page",
  "program/worker.html": "a worker",
  "program/agent/plain.js": 'import { name } from "./other.js"; console.log(name);',
  "program/agent/other.js": 'export const name = "plain";',
  "program/agent/buying.js": 'import "@some/sdk"; import "sdk";',
  "program/agent/reading.js": 'import "node:fs";',
  "node_modules/sdk/package.json": manifest,
  "node_modules/sdk/index.js": "console.log(1);",
  "node_modules/@some/sdk/package.json": manifest,
  "node_modules/@some/sdk/index.js": "console.log(2);",
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), text);
}

describe("the bundle of a program", () => {
  it("is one file beside the pages that load it", async () => {
    const { folder, bytes, others } = await bundleProgram("agent/plain", site);
    expect({ folder, others }).toEqual({ folder: "agent/plain", others: [] });
    expect(bytes).toBeGreaterThan(0);
    expect(readFileSync(join(site, folder, "browser.js"), "utf8")).not.toContain("import");
    expect(readFileSync(join(site, folder, "worker.html"), "utf8")).toBe("a worker");
  });

  it("names the packages of others in it", async () => {
    expect((await bundleProgram("agent/buying", site)).others.toSorted()).toEqual(["@some/sdk", "sdk"]);
  });

  it("cannot be made of what browsers lack", async () => {
    await expect(bundleProgram("agent/reading", site)).rejects.toThrow('Could not resolve "node:fs"');
  });
});
