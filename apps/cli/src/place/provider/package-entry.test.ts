import { describe, expect, it } from "vitest";
import { packageEntry } from "./package-entry.ts";

describe("packageEntry", () => {
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
    expect(packageEntry(manifest)).toBe(entry);
  });
});
