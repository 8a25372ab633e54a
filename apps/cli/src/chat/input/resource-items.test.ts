import type { CompletionOf, McpResource } from "@cogency/mcp";
import { describe, expect, it } from "vitest";
import { resourceItems } from "./resource-items.ts";

const resources: readonly McpResource[] = [
  { server: "docs", uri: "docs://guide.md", name: "Guide", description: "How we write" },
  { server: "docs", uri: "docs://a b.md", name: "Blank" },
  { server: "docs", template: "docs://pages/{page}.md", name: "Page" },
];
const asked: CompletionOf[] = [];
const servers = {
  resources: () => resources,
  complete: async (_: string, of: CompletionOf) => {
    asked.push(of);
    return ["intro", "index"].filter((page) => page.startsWith(of.value));
  },
} as unknown as Parameters<typeof resourceItems>[1];

describe("what may follow @", () => {
  it.each([
    ["a server", "doc", ["@docs:docs://guide.md", '@"docs:docs://a b.md"', "@docs:docs://pages/"]],
    ["an address", "docs:docs://g", ["@docs:docs://guide.md"]],
    ["a word of a name", "guid", ["@docs:docs://guide.md"]],
    [
      "a template, whose variable the server completes",
      "docs:docs://pages/in",
      ["@docs:docs://pages/intro.md", "@docs:docs://pages/index.md"],
    ],
    ["nothing that a server has", "src/", []],
    ["nothing yet", "", []],
  ])("completes resources: %s", async (_, typed, values) => {
    expect((await resourceItems(typed, servers)).map(({ value }) => value)).toEqual(values);
  });

  it("asks the server for the variable of the template alone", () => {
    expect(asked).toEqual([{ template: "docs://pages/{page}.md", argument: "page", value: "in" }]);
  });

  it("is a path alone without servers", async () => {
    expect(await resourceItems("docs", undefined)).toEqual([]);
  });
});
