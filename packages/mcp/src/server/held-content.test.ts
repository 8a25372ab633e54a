import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { answerOf, call, type Rpc, rawClient } from "../../test/server/raw-client.ts";
import { mcpServer } from "./index.ts";

const input = { type: "object", properties: {} } as const;
const browse = defineTool({
  name: "browse",
  description: "Reads a page.",
  input,
  annotations: { readOnlyHint: true, openWorldHint: true },
  execute: () => "a page",
});
const write = defineTool({ name: "write", description: "Writes.", input, execute: () => "written" });
const approval = { policy: { tools: { write: "allow" } }, content: "ask" } as const;
const authenticate = ({ headers }: Request) => ({ user: headers.get("authorization") ?? "" });

describe("content from strangers that a call has brought to a client", () => {
  it("makes later calls of its session ask, also those that a rule allows", async () => {
    const client = rawClient(mcpServer({ tools: [browse, write], execution: { approval } }));
    const [one, other] = [await client.session(), await client.session()];
    const inSession = async (name: string, here: Record<string, string>) =>
      (await answerOf(await client.post(call(name), here))).result as Rpc;
    expect(await inSession("write", one)).not.toHaveProperty("isError");
    await inSession("browse", one);
    expect(await inSession("write", one)).toMatchObject({ isError: true });
    expect(await inSession("write", other)).not.toHaveProperty("isError");
  });

  it("makes later calls of its user ask, where requests stand alone", async () => {
    const server = mcpServer({ tools: [browse, write], execution: { approval }, authenticate });
    const called = async (user: string, name: string) =>
      (await rawClient(server, { authorization: user }).modern("tools/call", { name, arguments: {} })).result as Rpc;
    await called("ada", "browse");
    expect(await called("ada", "write")).toMatchObject({ isError: true });
    expect(await called("eve", "write")).not.toHaveProperty("isError");
  });
});
