import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder } from "../report/files.ts";
import { publishablePackages, workspaceRoot } from "../workspace.ts";
import { deadCitationsOf, type TextFile } from "./citations.ts";

describe("the workspace", () => {
  const paths = filesUnder(workspaceRoot);
  const read = (path: string): TextFile => ({ path, text: readFileSync(join(workspaceRoot, path), "utf8") });
  const documents = paths.filter((path) => path.endsWith(".md")).map(read);
  /** Sources, Markdown and the published types of the build. */
  const files = paths.filter((path) =>
    /\/dist\//.test(path) ? path.endsWith(".d.ts") : /\.([cm]?[jt]s|md)$/.test(path),
  );

  it("has types of every package built", () => {
    expect(files).toEqual(expect.arrayContaining(["packages/protocol/dist/index.d.ts"]));
  });

  it("cites and links nothing that does not exist", () => {
    const all = new Set(paths);
    const others = files.filter((path) => path !== "tooling/checks/src/citations/citations.verify.test.ts");
    expect(others.flatMap((path) => deadCitationsOf(read(path), all, documents))).toEqual([]);
  });

  it.each(publishablePackages().map(({ path }) => path))("%s ships its documents", (path) => {
    const hasDocuments = documents.some((document) => document.path.startsWith(`${path}/docs/`));
    const { files: shipped } = JSON.parse(read(`${path}/package.json`).text) as { files: string[] };
    expect(shipped.includes("docs/*.md")).toBe(hasDocuments);
  });

  /** READMEs that were longer when the rule came. They may only shrink. */
  const longer: Readonly<Record<string, number>> = {};

  it.each(publishablePackages().map(({ path }) => path))(
    "%s has a README of at most 250 lines, and pages for the rest",
    (path) => {
      const lines = read(`${path}/README.md`).text.trimEnd().split("\n").length;
      expect(lines).toBeLessThanOrEqual(longer[path] ?? 250);
    },
  );
});

describe("deadCitationsOf", () => {
  const text =
    "# The protocol\n\n## 1. The wire\n\n### P6. Strings\n\n```md\n## 9. No heading\n```\n\n## Twice\n\n## Twice\n";
  const documents = [
    { path: "packages/protocol/docs/protocol.md", text },
    { path: "packages/protocol/README.md", text: "# Protocol\n\n## What `it` is, in short\n" },
  ];
  const paths = new Set([...documents.map(({ path }) => path), "packages/protocol/src/a.ts", "LICENSE"]);
  const deadIn = (path: string, text: string) => deadCitationsOf({ path, text }, paths, documents);

  it.each([
    "/** As protocol.md P6 and §1 say. */",
    "/** (protocol.md P6, §1) */",
    "/**\n * In protocol.md\n * P6.\n */",
    "// As (protocol.md) says, and the table in docs/protocol.md.",
    'const text = "read (notes.md) and the list in todo.md";',
    "/** Such as `file:/srv/notes.md`. */",
  ])("finds none in a source with %j", (text) => {
    expect(deadIn("packages/protocol/src/a.ts", text)).toEqual([]);
  });

  it.each([
    ["/** protocol.md P66 */", "a.ts:1 cites protocol.md P66, which does not exist"],
    ["/** protocol.md P6, P7 */", "a.ts:1 cites protocol.md P7, which does not exist"],
    ["/** protocol.md §9 */", "a.ts:1 cites protocol.md §9, which does not exist"],
    ["/**\n * As protocol.md\n * §2 says. */", "a.ts:2 cites protocol.md §2, which does not exist"],
    ["\n/** A rule (contracts.md, `tools`). */", "a.ts:2 cites contracts.md, which does not exist"],
    ["/** The table of architecture.md: arrows. */", "a.ts:1 cites architecture.md, which does not exist"],
  ])("finds the one in a source with %j", (text, problem) => {
    expect(deadIn("a.ts", text)).toEqual([problem]);
  });

  it.each([
    "[a](docs/protocol.md)",
    "[a](docs/protocol.md#p6-strings)",
    "[a](docs/protocol.md#twice-1)",
    "[a](#what-it-is-in-short)",
    "[a](../protocol)",
    "[a](../protocol#what-it-is-in-short)",
    "[a](../../LICENSE)",
    "[a](https://example.com/x.md#y)",
    "```md\n[a](nowhere.md)\n```",
  ])("follows %j in Markdown", (text) => {
    expect(deadIn("packages/protocol/README.md", text)).toEqual([]);
  });

  it.each(["nowhere.md", "docs/protocol.md#p7", "docs/protocol.md#9-no-heading", "#elsewhere", "../nowhere"])(
    "finds a link to %j in Markdown",
    (link) => {
      expect(deadIn("packages/protocol/README.md", `\nText [a](${link}).`)).toEqual([
        `packages/protocol/README.md:2 links to ${link}, which does not exist`,
      ]);
    },
  );
});
