import { existsSync, globSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { expect, it } from "vitest";

const folder = import.meta.dirname;

/** The files of each scenario, as README.md names them. */
const rows = readFileSync(resolve(folder, "README.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, name = "", , files = ""] = line.split("|").map((cell) => cell.trim());
    if (!/^S\d+$/.test(name)) return [];
    return { name, files: [...files.matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => resolve(folder, file)) };
  });

it("The table names each scenario once, in order, with files that are there", () => {
  expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: 29 }, (_, index) => `S${index + 1}`));
  for (const { name, files } of rows) {
    expect(files, name).not.toEqual([]);
    expect(
      files.filter((file) => !existsSync(file)),
      name,
    ).toEqual([]);
  }
});

it("The table names each file that names a scenario", () => {
  const tests = globSync("**/*.test.ts", { cwd: resolve(folder, "..") }).map((file) => resolve(folder, "..", file));
  const named = tests.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/describe(?:\.each\(.*\))?\("(S\d+)\b/g)].map(([, name = ""]) => ({
      name,
      file,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ name, file }) => !rows.some((row) => row.name === name && row.files.includes(file)));
  expect(missing.map(({ name, file }) => `${name}: ${relative(folder, file)}`)).toEqual([]);
});
