import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

describe("the README and the help agree on", () => {
  it.each([
    ["run", "## `cogency [run] [prompt]`"],
    ["parse", "## `cogency parse`"],
    ["history list", "### `cogency history list`"],
    ["history show", "### `cogency history show <conversation>`"],
    ["history search", "### `cogency history search <words...>`"],
    ["history rename", "### `cogency history rename <conversation> <title...>`"],
    ["history export", "### `cogency history export [conversations...]`"],
    ["history import", "### `cogency history import <file>`"],
    ["history delete", "### `cogency history delete <conversations...>`"],
  ])("the options of %s", async (command, heading) => {
    const { stdout } = await place().cogency([...command.split(" "), "--help"]);
    const inHelp = Array.from(stdout.matchAll(/^ {2}((?:-\w, )?--\S+(?: [<[][\w-]+[>\]])?)/gm), ([, flags]) => flags);
    const inReadme = Array.from(section(heading).matchAll(/^\| `((?:-\w, )?--[^`]+)` \|/gm), ([, flags]) => flags);
    expect(inReadme.length).toBeGreaterThan(1);
    expect([...inReadme, "-h, --help"]).toEqual(inHelp);
  });

  it.each([["--help"], ["run", "--help"]])("the exit codes: %s %s", async (...args) => {
    const { code, stdout } = await place().cogency(args);
    const codes = (text: string, row: RegExp) =>
      Array.from(text.matchAll(row), ([, number, meaning]) => [number, meaning]);
    const documented = codes(section("## Exit codes"), /^\| (\d+) \| (.+) \|$/gm);
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

/** The text under a heading, up to the next one with the same number of marks, or with two. */
function section(heading: string): string {
  const start = readme.indexOf(`\n${heading}\n`);
  const marks = heading.slice(0, heading.indexOf(" "));
  const [end = -1] = [`\n${marks} `, "\n## "]
    .map((next) => readme.indexOf(next, start + 1))
    .filter((index) => index >= 0)
    .toSorted((one, other) => one - other);
  return start === -1 ? "" : readme.slice(start, end === -1 ? undefined : end);
}
