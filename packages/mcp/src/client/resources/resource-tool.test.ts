import { createExecutor, createRegistry, type ToolContext } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { callOf } from "../../../test/support/calls.ts";
import { connected } from "../../../test/support/connected.ts";
import type { Handler } from "../../../test/support/raw-server.ts";
import type { McpResource } from "../mcp.ts";
import { type ResourceServer, resourceTool } from "./resource-tool.ts";

const png = "iVBORw0KGgo=";

async function serverOf(
  name: string,
  handle: Handler,
  parts: Partial<ResourceServer> & { approval?: Record<string, "allow" | "ask" | "deny"> } = {},
) {
  const { approval, ...rest } = parts;
  const { link, rounds } = await connected(handle, { server: name, options: { approval } as never });
  return { link, rounds, resources: [], ...rest } satisfies ResourceServer;
}

const reading =
  (contents: object[]): Handler =>
  () => ({ contents });
const run = (servers: ResourceServer[], args: object, context: ToolContext = callOf(() => "").context) => {
  const tool = resourceTool(() => servers);
  return Promise.resolve(tool.validate(args as never)).then((validation) => {
    if (!validation.ok) throw new Error(JSON.stringify(validation.issues));
    return tool.execute(validation.args, context);
  });
};

describe("mcp_resources lists", () => {
  const many: McpResource[] = Array.from({ length: 120 }, (_, at) => ({
    server: "docs",
    uri: `test://${at}`,
    name: `${at}`,
  }));
  const template: McpResource = { server: "files", template: "file:///{dir}/{name}", name: "a file" };

  it("resources of all servers in pages of fifty", async () => {
    const servers = [
      await serverOf("docs", reading([]), { resources: many }),
      await serverOf("files", reading([]), { resources: [template] }),
    ];
    expect(await run(servers, {})).toMatchObject({ next: 50, note: "71 more: call again with from 50." });
    const last = (await run(servers, { from: 100 })) as { resources: unknown[] };
    expect(last.resources).toHaveLength(21);
    expect(last).not.toHaveProperty("next");
    expect(last.resources.at(-1)).toEqual({
      server: "files",
      template: "file:///{dir}/{name}",
      variables: ["dir", "name"],
      name: "a file",
    });
  });

  it("what one server says about itself, without hidden characters, and cut", async () => {
    const servers = [
      await serverOf("docs", reading([]), {
        resources: many.slice(0, 1),
        instructions: `Ask\u202e me.${"x".repeat(9000)}`,
      }),
    ];
    const { serverSays } = (await run(servers, { server: "docs" })) as { serverSays: string };
    expect(serverSays.startsWith("Ask me.xxx")).toBe(true);
    expect(serverSays).toHaveLength(4001);
  });

  it("no server that denies reads", async () => {
    const servers = [await serverOf("docs", reading([]), { resources: many, approval: { "*": "deny" } })];
    expect(await run(servers, {})).toEqual({ resources: [] });
    await expect(run(servers, { server: "docs", uri: "test://1" })).rejects.toThrow(
      'No server "docs" has resources. No server has resources now.',
    );
  });
});

describe("mcp_resources reads", () => {
  it.each([
    [
      "a text",
      [{ uri: "test://a", mimeType: "text/plain", text: "Hi." }],
      { mediaType: "text/plain", text: "Hi." },
      [],
    ],
    [
      "a text in a blob",
      [{ uri: "test://a", mimeType: "text/csv", blob: btoa("a,b") }],
      { mediaType: "text/csv", text: "a,b" },
      [],
    ],
    [
      "an image",
      [{ uri: "test://a", mimeType: "image/png", blob: png }],
      { mediaType: "image/png", bytes: 8, note: "It is attached." },
      [{ kind: "image", mediaType: "image/png", data: png }],
    ],
    [
      "bytes of a type that no model reads",
      [{ uri: "test://a", mimeType: "application/zip", blob: png }],
      { mediaType: "application/zip", bytes: 8, note: "It is of no kind that a model can be shown." },
      [],
    ],
    [
      "an image that is none",
      [{ uri: "test://a", mimeType: "image/png", blob: "AAA" }],
      { mediaType: "image/png", note: "The data of attachment 1 is not base64 text with its padding." },
      [],
    ],
    [
      "another resource than the one that was read, and says so",
      [{ uri: "test://evil", text: "I am another." }],
      { partUri: "test://evil", text: "I am another." },
      [],
    ],
    [
      "several parts",
      [
        { uri: "test://a", text: "1" },
        { uri: "test://a/b", text: "2" },
      ],
      { parts: [{ text: "1" }, { partUri: "test://a/b", text: "2" }] },
      [],
    ],
  ])("%s", async (_, contents, value, attachments) => {
    const servers = [await serverOf("docs", reading(contents))];
    const read = (await run(servers, { server: "docs", uri: "test://a" })) as { value: object; attachments: object[] };
    expect(read.value).toMatchObject({ server: "docs", uri: "test://a", ...value });
    expect(read.attachments).toEqual(attachments);
  });

  it("a hundred parts of a thousand, and eight attachments of them", async () => {
    const contents = Array.from({ length: 1000 }, () => ({ uri: "test://a", mimeType: "image/png", blob: png }));
    const servers = [await serverOf("docs", reading(contents))];
    const read = (await run(servers, { server: "docs", uri: "test://a" })) as {
      value: { parts: object[]; note: string };
      attachments: object[];
    };
    expect([read.value.parts.length, read.attachments.length, read.value.note]).toEqual([
      100,
      8,
      "900 more parts are left out.",
    ]);
  });

  it("the only server there is, where none is named, and asks which one of several", async () => {
    const docs = await serverOf("docs", reading([{ uri: "test://a", text: "Hi." }]));
    expect(await run([docs], { uri: "test://a" })).toMatchObject({ value: { text: "Hi." } });
    await expect(
      run([docs, { ...docs, link: { ...docs.link, server: "b" } }], { uri: "test://a" }),
    ).rejects.toMatchObject({
      code: "not_found",
      message: "Name the `server` of the resource. These have: docs, b.",
    });
  });

  it.each(["", "test://\u202ea", `test://${"x".repeat(3000)}`])("no address that cannot be shown: %j", async (uri) => {
    let reads = 0;
    const docs = await serverOf("docs", ({ method }) => {
      if (method === "resources/read") reads += 1;
      return { contents: [] };
    });
    await expect(run([docs], { server: "docs", uri })).rejects.toMatchObject({ code: "not_found" });
    expect(reads).toBe(0);
  });

  it("after the server has asked the person of the call, with 2026-07-28", async () => {
    const { link, rounds } = await connected(
      ({ params }) => {
        if (params.inputResponses)
          return {
            resultType: "complete",
            ttlMs: 0,
            cacheScope: "private",
            contents: [{ uri: "test://a", text: JSON.stringify(params.inputResponses) }],
          };
        const requestedSchema = { type: "object", properties: { year: { type: "integer" } } };
        return {
          resultType: "input_required",
          inputRequests: { q: { method: "elicitation/create", params: { message: "Which?", requestedSchema } } },
        };
      },
      { server: "docs", revision: "2026-07-28" },
    );
    const { context } = callOf(() => ({ year: 2026 }));
    const read = (await run([{ link, rounds, resources: [] }], { server: "docs", uri: "test://a" }, context)) as {
      value: { text: string };
    };
    expect(JSON.parse(read.value.text)).toEqual({ q: { action: "accept", content: { year: 2026 } } });
  });

  it("fails with one sentence where the server does", async () => {
    const docs = await serverOf("docs", () => {
      throw { code: -32002, message: "Resource not found" };
    });
    await expect(run([docs], { server: "docs", uri: "test://a" })).rejects.toThrow("Resource not found");
  });
});

describe("approval of mcp_resources", () => {
  async function questions(args: object, approval?: Record<string, "allow" | "ask" | "deny">) {
    const docs = await serverOf("docs", reading([{ uri: "test://a", text: "Hi." }]), { ...(approval && { approval }) });
    const why: string[] = [];
    const approve = ({ concerns }: { concerns: readonly { why: string }[] }) => {
      why.push(...concerns.map((concern) => concern.why));
      return true;
    };
    const executor = createExecutor({ registry: createRegistry([resourceTool(() => [docs])]), approval: { approve } });
    const [execution] = await executor.run([{ name: "mcp_resources", args: args as never }], { conversation: "c" });
    return { why, outcome: execution?.outcome };
  }

  it.each([
    [
      "asks for a read",
      { server: "docs", uri: "test://a" },
      undefined,
      ["The server docs gets this address, and answers what it likes."],
    ],
    [
      "asks for a read that names no server",
      { uri: "test://a" },
      undefined,
      ["The server docs gets this address, and answers what it likes."],
    ],
    ["asks nothing for a list", {}, undefined, []],
    [
      "asks nothing for a read of a server that the host allows",
      { server: "docs", uri: "test://a" },
      { "resources/*": "allow" } as const,
      [],
    ],
    [
      "asks nothing for a read where every call is allowed",
      { server: "docs", uri: "test://a" },
      { "*": "allow" } as const,
      [],
    ],
  ])("%s", async (_, args, approval, why) => {
    expect(await questions(args, approval)).toEqual({ why, outcome: "success" });
  });

  it("counts what comes as untrusted, and a read as reaching outside", async () => {
    const tool = resourceTool(() => []);
    expect(tool.brings?.({ server: "docs", uri: "test://a" })).toEqual([
      { holds: "untrusted", source: "test://a of docs (MCP server)" },
    ]);
    expect(tool.brings?.({})).toEqual([{ holds: "untrusted", source: "the lists of MCP servers" }]);
    expect([tool.reachesOut?.({ uri: "test://a" }), tool.reachesOut?.({})]).toEqual([true, false]);
  });
});
