import { describe, expect, it, vi } from "vitest";
import { type Answer, rawClient } from "../../../test/server/raw-client.ts";
import { probeTools } from "../../../test/server/tools.ts";
import { mcpServer } from "../index.ts";

const elicits = { elicitation: {} };
const approved = { action: "accept", content: { decision: "approve" } };
const params = { name: "write", arguments: { path: "a.md" } };
const asUser = (user: string) => ({ authorization: user });
const authenticate = (request: Request) => ({ user: request.headers.get("authorization") ?? "" });

async function asked(secret?: string) {
  const { tools, ran } = probeTools();
  const server = mcpServer({ tools, authenticate, ...(secret !== undefined && { secret }) });
  const client = rawClient(server, asUser("ada"));
  const { result } = await client.modern("tools/call", params, elicits);
  const [key = ""] = Object.keys(result.inputRequests);
  const again = (change: object = {}, by = client): Promise<Answer> =>
    by.modern(
      "tools/call",
      { ...params, inputResponses: { [key]: approved }, requestState: result.requestState, ...change },
      elicits,
    );
  return { server, client, ran, key, state: result.requestState as string, again };
}

const refusal = { code: -32602, message: "Invalid or expired requestState" };

describe("the state that a client brings back with an approval", () => {
  it("lets the approved call run, once", async () => {
    const { again, ran } = await asked();
    expect((await again()).result).toMatchObject({ structuredContent: { written: "a.md" } });
    expect((await again()).error).toMatchObject(refusal);
    expect(ran).toEqual(["write a.md"]);
  });

  it.each([
    ["with a changed character", (state: string) => ({ requestState: `${state.slice(0, 20)}x${state.slice(21)}` })],
    ["that is none", () => ({ requestState: "v1.e30.AAAA" })],
    ["for other arguments", () => ({ arguments: { path: "b.md" } })],
  ])("refuses one %s", async (_, change) => {
    const { again, state, ran } = await asked();
    expect((await again(change(state))).error).toMatchObject(refusal);
    expect(ran).toEqual([]);
  });

  it("refuses one for another tool", async () => {
    const { again, ran } = await asked();
    expect((await again({ name: "add", arguments: params.arguments })).error).toMatchObject(refusal);
    expect(ran).toEqual([]);
  });

  it("refuses one after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { again, ran } = await asked();
      vi.advanceTimersByTime(602_000);
      expect((await again()).error).toMatchObject(refusal);
      expect(ran).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuses that of another user", async () => {
    const { again, server, ran } = await asked();
    expect((await again({}, rawClient(server, asUser("eve")))).error).toMatchObject(refusal);
    expect(ran).toEqual([]);
  });

  it("refuses that of another server, unless they share the secret", async () => {
    const secret = "a secret of at least 32 bytes, kept elsewhere";
    const one = await asked(secret);
    const twin = await asked(secret);
    const other = await asked();
    expect((await one.again({}, other.client)).error).toMatchObject(refusal);
    expect((await one.again({}, twin.client)).result).toMatchObject({ structuredContent: { written: "a.md" } });
  });

  it("asks again where an approval comes without a state, which nobody has asked for", async () => {
    const { client, key, ran } = await asked();
    const { result } = await client.modern("tools/call", { ...params, inputResponses: { [key]: approved } }, elicits);
    expect(result.resultType).toBe("input_required");
    expect(ran).toEqual([]);
  });

  it("asks again where the question would show something else now", async () => {
    let folder = "/srv/old";
    const { write, ran } = probeTools();
    const tool = { ...write, resource: () => `file:${folder}` };
    const client = rawClient(mcpServer({ tools: [tool] }));
    const { result } = await client.modern("tools/call", params, elicits);
    const [key = ""] = Object.keys(result.inputRequests);
    folder = "/srv/new";
    const answers = { inputResponses: { [key]: approved }, requestState: result.requestState };
    const again = await client.modern("tools/call", { ...params, ...answers }, elicits);
    expect(again.result.inputRequests[key].params.message).toContain("file:/srv/new");
    expect(ran).toEqual([]);
  });

  it.each([
    ["a number", 5],
    ["no action", { content: { decision: "approve" } }],
    ["another decision", { action: "accept", content: { decision: "yes" } }],
    ["a list", { action: "accept", content: ["approve"] }],
  ])("asks again where the answer is %s", async (_, answer) => {
    const { again, key, ran } = await asked();
    const { result, error } = await again({ inputResponses: { [key]: answer } });
    expect(result?.resultType ?? error?.code).toBe(result ? "input_required" : -32602);
    expect(ran).toEqual([]);
  });
});
