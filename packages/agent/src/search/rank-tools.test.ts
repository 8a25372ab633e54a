import type { ToolSpec } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manyTools } from "../../test/support/many-tools.ts";
import { rankTools } from "./rank-tools.ts";

const spec = (name: string, description = "", ...args: string[]): ToolSpec => ({
  name,
  description,
  parameters: { type: "object", properties: Object.fromEntries(args.map((arg) => [arg, {}])) },
});

describe("the ranking of tools", () => {
  const tools = [
    spec("read", "Read a file of the project.", "path"),
    spec("github_create_issue", "Opens an issue in a repository.", "repo", "title", "assignees"),
    spec("github_listIssues", "Lists the issues of a repository.", "repo"),
    spec("calendar_add", "Adds an event.", "start", "attendees"),
    spec("HTTPServer_stop", "Ends it. Made for PostgreSQL and GitHub."),
    spec("suche", "Größe und Ärger; 日本語の検索."),
    spec("find", "Find a file."),
  ];
  const first = (query: string) => rankTools(tools)(query)[0];

  it.each([
    ["words of the name", "create issue", "github_create_issue"],
    ["a name in camel case", "list issues", "github_listIssues"],
    ["a part of a name in capitals", "server", "HTTPServer_stop"],
    ["the letters of two words that are written as one", "git hub postgre", "HTTPServer_stop"],
    ["a word that is written as two", "postgresql", "HTTPServer_stop"],
    ["a word of the description", "event", "calendar_add"],
    ["the name of an argument", "attendee", "calendar_add"],
    ["a rare word rather than one that many have", "repository title", "github_create_issue"],
    ["any case", "CALENDAR", "calendar_add"],
    ["letters beyond ASCII", "größe", "suche"],
    ["letters that are composed otherwise", "gro\u0308\u00dfe a\u0308rger".normalize("NFD"), "suche"],
    ["a language without spaces", "検索", "suche"],
    ["the whole name, before all other words", "Read an issue, an event, a repository; with find", "find"],
    ["the whole name in another case", "HTTPSERVER_STOP", "HTTPServer_stop"],
  ])("finds by %s", (_, query, name) => {
    expect(first(query)).toBe(name);
  });

  it("finds nothing by words that no tool has", () => {
    const rank = rankTools(tools);
    for (const query of ["", " ", "…", "zebra", "constructor", "__proto__"]) expect(rank(query)).toEqual([]);
    expect(rankTools([])("read")).toEqual([]);
  });

  it("keeps the order of the tools among equals", () => {
    const equal = ["b", "a", "c"].map((name) => spec(`${name}_x`, "Does it."));
    expect(rankTools(equal)("does")).toEqual(["b_x", "a_x", "c_x"]);
  });

  it("takes any schema of arguments", () => {
    for (const parameters of [{}, { properties: null }, { properties: 5 }, { $ref: "#" }] as ToolSpec["parameters"][]) {
      expect(rankTools([{ ...spec("a_tool"), parameters }])("tool")).toEqual(["a_tool"]);
    }
  });

  it("ranks a thousand tools", () => {
    const [many] = [manyTools(600)];
    const specs = [0, 1]
      .flatMap((n) => many.map(({ spec: one }) => ({ ...one, name: `${one.name}${n}` })))
      .slice(0, 1000);
    expect(rankTools(specs)("create the template of a playlist").slice(0, 1)).toEqual(["create_playlist_template0"]);
  });

  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const someTools = fc
    .uniqueArray(fc.record({ name: fc.stringMatching(/^[A-Za-z_][\w-]{0,12}$/), words: fc.array(word) }), {
      selector: ({ name }) => name,
      maxLength: 30,
    })
    .map((list) => list.map(({ name, words }) => spec(name, words.join(" "))));

  it("gives each tool at most once, and always the same", () => {
    fc.assert(
      fc.property(someTools, fc.string(), (specs, query) => {
        const names = rankTools(specs)(query);
        expect(new Set(names).size).toBe(names.length);
        expect(rankTools(structuredClone(specs))(query)).toEqual(names);
        for (const name of names) expect(specs.map((one) => one.name)).toContain(name);
      }),
    );
  });

  it("puts a tool first whose whole name is the query", () => {
    fc.assert(
      fc.property(someTools, (specs) => {
        const rank = rankTools(specs);
        for (const { name } of specs) expect(rank(name)[0]).toBe(name);
      }),
    );
  });

  it("finds a tool by each word of its description", () => {
    fc.assert(
      fc.property(someTools, (specs) => {
        const rank = rankTools(specs);
        for (const { name, description } of specs) {
          for (const one of description.split(" ")) if (one !== "") expect(rank(one)).toContain(name);
        }
      }),
    );
  });

  it("finds a tool before all others by a word that it alone has", () => {
    fc.assert(
      fc.property(someTools, word, (specs, rare) => {
        const own = `${rare}xyzq`;
        const last = spec("the_last", `Does ${own}.`);
        expect(rankTools([...specs, last])(own)).toEqual(["the_last"]);
      }),
    );
  });
});
