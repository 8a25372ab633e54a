import { describe, expect, it } from "vitest";
import type { FoundServers, PlacedServer } from "./find-servers.ts";
import { ofEditor, withServersOfEditor } from "./servers-of-editor.ts";

const yours: PlacedServer = {
  name: "docs",
  entry: { command: "docs-server" },
  place: "yours",
  isOwn: true,
  folder: undefined,
  files: new Map(),
};
const found: FoundServers = { servers: [yours], problems: ["One."], ignored: [], findAbove: undefined };
const program = (name: string) => ({ type: "stdio" as const, name, command: "run", args: ["-x"], env: { KEY: "v" } });

describe("the servers that an editor names", () => {
  it("come after those of the folder, and count as the person's own", () => {
    const address = {
      type: "http" as const,
      name: "web",
      url: "https://mcp.example.com/mcp",
      headers: { "x-key": "v" },
    };
    expect(withServersOfEditor(found, [program("Git Hub"), address])).toEqual({
      ...found,
      servers: [
        yours,
        {
          name: "Git-Hub",
          entry: { command: "run", args: ["-x"], env: { KEY: "v" } },
          place: ofEditor,
          isOwn: true,
          folder: undefined,
          files: new Map(),
        },
        expect.objectContaining({ name: "web", entry: { url: address.url, headers: { "x-key": "v" } }, isOwn: true }),
      ],
    });
  });

  it.each([
    ["docs", /docs of your editor is left out: another one of yours has this name/],
    ["漢字", /its name has no letter/],
  ])("are left out with a sentence: %s", (name, problem) => {
    const { servers, problems } = withServersOfEditor(found, [program(name)]);
    expect(servers).toEqual([yours]);
    expect(problems).toEqual(["One.", expect.stringMatching(problem)]);
  });

  it.each([
    ["a__b", "a_b"],
    ["9 lives", "lives"],
    ["x".repeat(40), "x".repeat(30)],
    ["end-", "end"],
  ])("get a name that names of tools can begin with: %s", (given, name) => {
    expect(withServersOfEditor(found, [program(given)]).servers.at(-1)).toMatchObject({ name });
  });

  it("are no more than a configuration may have", () => {
    const many = Array.from({ length: 60 }, (_, at) => program(`server-${at}`));
    const { servers, problems } = withServersOfEditor(found, many);
    expect(servers).toHaveLength(50);
    expect(problems).toHaveLength(12);
  });
});
