import { describe, expect, it } from "vitest";
import { packageEntries } from "./package-entry.ts";

describe("packageEntries", () => {
  it.each([
    ["exports as a string", { exports: "./a.js" }, "./a.js"],
    ["exports before main", { exports: { ".": "./a.js" }, main: "./b.cjs" }, "./a.js"],
    [
      "the first condition that holds",
      { exports: { require: "./a.cjs", import: "./a.js", default: "./b.js" } },
      "./a.js",
    ],
    [
      "nested conditions",
      { exports: { ".": { browser: "./w.js", import: { types: "./a.d.ts", default: "./a.js" } } } },
      "./a.js",
    ],
    ["the first alternative of a list", { exports: [{ require: "./a.cjs" }, "./b.js"] }, "./b.js"],
    ["main without exports", { main: "lib/a.js" }, "lib/a.js"],
    ["nothing given at all", {}, "index.js"],
    ["only subpaths", { exports: { "./deep": "./deep.js" } }, undefined],
    ["an entry that is null", { exports: { ".": null } }, undefined],
    ["only the condition of require", { exports: { ".": { require: "./a.cjs" } } }, undefined],
  ])("reads %s", (_, manifest, entry) => {
    expect(packageEntries(manifest)[0]).toBe(entry);
  });

  it("names what stands there before the package is built, and after it what does later", () => {
    const exports = { types: "./dist/a.d.ts", cogency: "./src/a.ts", default: "./dist/a.js" };
    expect(packageEntries({ exports })).toEqual(["./src/a.ts", "./dist/a.js"]);
  });
});
