import { describe, expect, it } from "vitest";
import { revisions } from "../../../test/support/answering.ts";
import { connected, fresh, limits } from "../../../test/support/connected.ts";
import { listResources } from "./list-resources.ts";

type Lists = { resources?: object[]; resourceTemplates?: object[]; nextCursor?: string };

async function listOf(
  answer: (method: string, cursor: unknown) => Lists,
  most = limits,
  revision = revisions[0] as (typeof revisions)[number],
) {
  const { client } = await connected(
    ({ method, params }) => ({ resources: [], resourceTemplates: [], ...fresh, ...answer(method, params.cursor) }),
    { revision },
  );
  return listResources(client, "docs", most);
}

describe("listResources", () => {
  it.each(revisions)("gives resources and templates over all pages, revision %s", async (revision) => {
    const list = await listOf(
      (method, cursor) => {
        if (method === "resources/templates/list")
          return { resourceTemplates: [{ uriTemplate: "file:///{path}", name: "a file", mimeType: "text/plain" }] };
        if (cursor === "2") return { resources: [{ uri: "test://b", name: "b", title: "The B" }] };
        return { resources: [{ uri: "test://a", name: "a", description: "First." }], nextCursor: "2" };
      },
      limits,
      revision,
    );
    expect(list).toEqual({
      resources: [
        { server: "docs", uri: "test://a", name: "a", description: "First." },
        { server: "docs", uri: "test://b", name: "The B" },
        { server: "docs", template: "file:///{path}", name: "a file", mediaType: "text/plain" },
      ],
      problems: [],
    });
  });

  it("gives none for a server without resources, and asks it for none", async () => {
    const { client } = await connected(({ method }) => {
      throw { code: -32601, message: method };
    });
    client.getServerCapabilities = () => ({ tools: {} });
    expect(await listResources(client, "docs", limits)).toEqual({ resources: [], problems: [] });
  });

  it("gives resources of a server that knows no templates", async () => {
    const list = await listOf((method) => {
      if (method === "resources/templates/list") throw { code: -32601, message: "Method not found" };
      return { resources: [{ uri: "test://a", name: "a" }] };
    });
    expect(list.resources).toHaveLength(1);
  });

  it.each([
    [
      "the same page for ever",
      () => ({ resources: [{ uri: "test://a", name: "a" }], nextCursor: "1" }),
      1,
      "Its list of resources does not end. What came until then is used.",
    ],
    [
      "another page for ever",
      () => ({ resources: [{ uri: `test://${Math.random()}`, name: "a" }], nextCursor: `${Math.random()}` }),
      20,
      "It lists more than 20 resources. The rest is left out.",
    ],
    [
      "a page without end",
      () => ({ resources: Array.from({ length: 5000 }, (_, at) => ({ uri: `test://${at}`, name: "a" })) }),
      20,
      "It lists more than 20 resources. The rest is left out.",
    ],
  ])("takes what it may of %s", async (_, page, count, problem) => {
    const list = await listOf((method) => (method === "resources/list" ? page() : {}), { ...limits, items: 20 });
    expect([list.resources.length, list.problems]).toEqual([count, [problem]]);
  });

  it("leaves out addresses that cannot be shown, takes hidden characters out of names, and keeps the first of two", async () => {
    const list = await listOf((method) =>
      method === "resources/list"
        ? {
            resources: [
              { uri: "test://a", name: "n\u202eame", description: "de\u{e0041}scription\n".repeat(10) },
              { uri: "test://a", name: "another" },
              { uri: "test://\u200bb", name: "b" },
              { uri: `test://${"x".repeat(3000)}`, name: "long" },
            ],
          }
        : { resourceTemplates: [{ uriTemplate: "file:///{path", name: "broken" }] },
    );
    expect(list.resources).toMatchObject([{ uri: "test://a", name: "name" }]);
    expect(list.resources[0]?.description).toMatch(/^description description/);
    expect(list.problems).toEqual(
      ["b", "long", "broken"].map(
        (name) => `The resource "${name}" is left out: its address is none that can be shown.`,
      ),
    );
  });
});
