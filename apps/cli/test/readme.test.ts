import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program/program.ts";
import { place } from "./support/command-line.ts";
import { commandsPage } from "./support/commands-page.ts";
import { configSchema } from "./support/config-schema.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("docs/commands.md has every command and option; `vitest run test/readme.test.ts -u` writes it anew", async () => {
  const program = createProgram({ during: () => Promise.reject(), exitCode: 0, readerLeft: () => {} }, () => {});
  await expect(commandsPage(program)).toMatchFileSnapshot("../docs/commands.md");
});

it("schema/config.schema.json has every key of a configuration", () => {
  const schema = readFileSync(new URL("../schema/config.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(schema)).toEqual(configSchema());
});

it("the first command of the README prints what stands under it", async () => {
  const { folder, cogency } = place();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "export const a = 1;\n");
  writeFileSync(join(folder, "package.json"), '{ "name": "demo", "scripts": { "test": "node --test" } }\n');
  const [, command = "", shown = ""] = /^cogency (.*)\n```\n\n```text\n(.*?)\n```$/ms.exec(readme) ?? [];
  const words = Array.from(command.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  const { code, stdout, stderr } = await cogency(words);
  expect(code).toBe(0);
  const lines = (text: string) => text.replace(/[\da-f]{8}-[\da-f-]+|[\d.]+(?= (?:tokens|out|s\b))/g, "?").split("\n");
  const expected = lines(shown).filter((line) => line !== "…");
  expect(expected.length).toBeGreaterThan(10);
  expect(lines(`${stdout}${stderr}`)).toEqual(expect.arrayContaining(expected));
});

describe("the README and the help agree on", () => {
  it.each([["--help"], ["run", "--help"]])("the exit codes: %s %s", async (...args) => {
    const { code, stdout } = await place().cogency(args);
    const codes = (text: string, row: RegExp) =>
      Array.from(text.matchAll(row), ([, number, meaning]) => [number, meaning]);
    const documented = codes(readme.slice(readme.indexOf("\n## Exit codes\n")), /^\| (\d+) \| (.+) \|$/gm);
    expect(documented.map(([number]) => number)).toEqual(["0", "1", "2", "3", "4", "5", "6", "130", "143"]);
    expect(
      codes(stdout.slice(stdout.indexOf("Exit codes:")).replace(/\n {7}(?=\S)/g, " "), /^ {2}(\d+) +(.+)$/gm),
    ).toEqual(documented);
    expect(code).toBe(0);
  });

  it("the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await place().cogency(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
