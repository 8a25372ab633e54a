import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programModules, projectModules } from "./module-folders.ts";

/** Makes a folder with these files, and with a folder for each path that ends in a slash. */
function placeWith(...names: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "cogency-modules-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    mkdirSync(join(folder, name, name.endsWith("/") ? "." : ".."), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(join(folder, name), "{}");
  }
  return { folder, relative: (paths: readonly string[]) => paths.map((path) => path.slice(folder.length + 1)) };
}

describe("the folders that may hold packages", () => {
  it.each([
    [
      "up to the repository",
      ["a/.git/", "a/b/package.json", "a/b/c/"],
      ["a/b/c/node_modules", "a/b/node_modules", "a/node_modules"],
    ],
    [
      "up to the package if there is no repository",
      ["package.json", "a/b/package.json", "a/b/c/"],
      ["a/b/c/node_modules", "a/b/node_modules"],
    ],
    ["in the folder alone if there is neither", ["a/b/c/"], ["a/b/c/node_modules"]],
  ])("are %s", (_, names, modules) => {
    const { folder, relative } = placeWith(...names);
    expect(relative(projectModules(join(folder, "a/b/c")))).toEqual(modules);
  });

  it("of a program are its own package and each node_modules above it", () => {
    const { folder, relative } = placeWith(
      "lib/node_modules/@acme/cli/package.json",
      "lib/node_modules/@acme/cli/dist/",
    );
    expect(relative(programModules(join(folder, "lib/node_modules/@acme/cli/dist/x.js")))).toEqual([
      "lib/node_modules/@acme/cli/dist/node_modules",
      "lib/node_modules/@acme/cli/node_modules",
      "lib/node_modules",
    ]);
  });
});
