import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packages } from "../packages.ts";
import { workspaceRoot } from "../workspace.ts";

it("the packages stand in README.md with what they import", () => {
  const page = readFileSync(join(workspaceRoot, "README.md"), "utf8");
  const rows = Array.from(
    page.matchAll(/^\| \[`.*`\]\(((?:packages|apps)\/[\w-]+)\) \| .* \| ([^|]*) \|$/gm),
    ([, path, list]) => [path, list],
  );
  const table = Object.entries(packages).map(([path, { imports }]) => [
    path,
    imports === "all" ? "all" : imports.join(", ") || "nothing",
  ]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(table));
});
