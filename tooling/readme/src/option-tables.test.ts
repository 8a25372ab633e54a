import { describe, expect, it } from "vitest";
import { keysIn } from "./keys-of.ts";
import { keysFor, optionsIn, unnamedTables } from "./option-tables.ts";
import { tablesOf } from "./tables.ts";

const settings = new URL("../fixtures/options/settings.ts", import.meta.url);

const page = `# Page

| option | default | |
| --- | --- | --- |
| \`name\` | none | \`a \\| b\` |
| \`size?\`, \`onEnd(result)\` of the base | | |

| \`color\` | |
| --- | --- |
| \`red\` | |

## Colors

| \`color\` | |
| --- | --- |
| \`red\` | |

## Others

\`\`\`md
| option | |
| --- | --- |
| \`no\` | |
\`\`\`

| what | |
| --- | --- |
| \`no\` | |

| option | of | |
| --- | --- | --- |
| \`limit\` | \`load\`, \`list\` | |
| \`after\` | \`load\` | |`;

describe("tablesOf", () => {
  it("gives the cells of each table, with its heading and its line", () => {
    const [first, ...others] = tablesOf(page);
    expect(first).toEqual({
      heading: "Page",
      line: 3,
      header: ["option", "default", ""],
      rows: [
        ["`name`", "none", "`a | b`"],
        ["`size?`, `onEnd(result)` of the base", "", ""],
      ],
    });
    expect(others.map(({ heading, line, header }) => [heading, line, header[0]])).toEqual([
      ["Page", 8, "`color`"],
      ["Colors", 14, "`color`"],
      ["Others", 26, "what"],
      ["Others", 30, "option"],
    ]);
  });
});

describe("the options that a document tells", () => {
  it.each([
    [{ under: "Page" }, ["name", "onEnd", "size"]],
    [{ under: "Colors" }, ["red"]],
    [{ under: "Others" }, ["after", "limit"]],
    [{ under: "Others", of: "list" }, ["limit"]],
    [{ under: "None" }, []],
  ])("under %j", (table, names) => {
    expect(optionsIn(page, table)).toEqual(names);
  });

  it("are missed where a table of options is named nowhere", () => {
    expect(unnamedTables("a.md", page, [{ under: "Page" }])).toEqual(['a.md:30, under "Others"']);
    expect(unnamedTables("a.md", page)).toHaveLength(2);
  });
});

describe("keysOf", () => {
  const keysOf = keysIn([settings]);

  it.each([
    ["an interface with a parent, without what must be left out", "Settings", ["onEnd", "name", "size", "width"]],
    ["a type made of others", "OtherSettings", ["onEnd", "name", "other", "width"]],
    ["a type with alternatives", "Place", ["depth", "path", "url"]],
    ["a type of another file", "Size", ["width", "height"]],
  ])("reads %s", (_, type, keys) => {
    expect(keysOf(settings, type).toSorted()).toEqual(keys.toSorted());
  });

  it("throws for a type that is not there", () => {
    expect(() => keysOf(settings, "Base")).toThrow("exports no Base");
  });
});

describe("keysFor", () => {
  const home = new URL("./", settings);
  const keysOf = keysIn([settings]);

  it("leaves out what another type of the file has", () => {
    const table = { under: "", type: "Settings", from: "settings.ts" };
    expect(keysFor(table, home, keysOf)).toEqual(["name", "onEnd", "size", "width"]);
    expect(keysFor({ ...table, beyond: "Size" }, home, keysOf)).toEqual(["name", "onEnd", "size"]);
  });
});
