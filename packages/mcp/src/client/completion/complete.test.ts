import { describe, expect, it } from "vitest";
import { revisions } from "../../../test/support/answering.ts";
import { connected } from "../../../test/support/connected.ts";
import { McpError } from "../errors.ts";
import { complete } from "./complete.ts";

const { signal } = new AbortController();
const of = { prompt: "fix", argument: "repo", value: "co" };

describe("complete", () => {
  it.each(revisions)("asks for proposals with what is known already, revision %s", async (revision) => {
    const asked: unknown[] = [];
    const { link } = await connected(
      ({ method, params: { ref, argument, context } }) => {
        if (method === "completion/complete") asked.push({ ref, argument, context });
        return { resultType: "complete", completion: { values: ["cogency", "coffee", "cogency"] } };
      },
      { revision },
    );
    expect(await complete(link, { ...of, known: { owner: "ada" } }, signal)).toEqual(["cogency", "coffee"]);
    expect(await complete(link, { template: "file:///{path}", argument: "path", value: "" }, signal)).toHaveLength(2);
    expect(asked).toEqual([
      {
        ref: { type: "ref/prompt", name: "fix" },
        argument: { name: "repo", value: "co" },
        context: { arguments: { owner: "ada" } },
      },
      {
        ref: { type: "ref/resource", uri: "file:///{path}" },
        argument: { name: "path", value: "" },
        context: undefined,
      },
    ]);
  });

  it.each([
    ["a million proposals", { values: Array.from({ length: 1_000_000 }, (_, at) => `${at}`) }, []],
    ["proposals that cannot be shown", { values: ["a\u202eb", "", "x".repeat(5000), "ok"] }, ["ok"]],
    ["no list", { values: "co" }, []],
  ])("takes what it may of %s", async (_, completion, proposals) => {
    const { link } = await connected(() => ({ completion }));
    expect(await complete(link, of, signal)).toEqual(proposals);
  });

  it("gives none for a server without completions, or one that fails", async () => {
    const { link, client } = await connected(({ method }) => {
      if (method === "completion/complete") throw { code: -32602, message: "No such prompt" };
      return {};
    });
    expect(await complete(link, of, signal)).toEqual([]);
    client.getServerCapabilities = () => ({});
    expect(await complete(link, of, signal)).toEqual([]);
  });

  it("throws for a server that is not there, for an abort, and for neither a prompt nor a template", async () => {
    const { link } = await connected(() => ({ completion: { values: [] } }));
    const gone = {
      ...link,
      connected: () => Promise.reject(new McpError("unavailable", "github", "It is not there.")),
    };
    await expect(complete(gone, of, signal)).rejects.toMatchObject({ code: "unavailable" });
    await expect(complete(link, of, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    await expect(complete(link, { argument: "a", value: "" }, signal)).rejects.toThrow(TypeError);
  });
});
