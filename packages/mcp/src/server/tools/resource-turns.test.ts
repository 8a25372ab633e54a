import { setImmediate as turn } from "node:timers/promises";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call, rawClient } from "../../../test/server/raw-client.ts";
import { mcpServer } from "../index.ts";

function filing() {
  const order: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (id: string) => {
    const made = gates.get(id) ?? Promise.withResolvers<void>();
    gates.set(id, made);
    return made;
  };
  const fileTool = (name: string, readOnlyHint: boolean) =>
    defineTool({
      name,
      description: name,
      input: {
        type: "object",
        properties: { id: { type: "string" }, path: { type: "string" } },
        required: ["id", "path"],
      },
      annotations: { readOnlyHint },
      approval: "allow",
      resource: ({ path }: { path: string }) => `file:${path}`,
      async execute({ id }: { id: string }) {
        order.push(`${id} begins`);
        await gate(id).promise;
        order.push(`${id} ends`);
        return id;
      },
    });
  const server = mcpServer({ tools: [fileTool("write", false), fileTool("read", true)] });
  return { server, order, open: (id: string) => gate(id).resolve() };
}

async function settled(): Promise<void> {
  for (let at = 0; at < 20; at++) await turn();
}

describe("calls of different requests that touch the same resource", () => {
  it.each([
    ["two writes of one file run one after another", ["write", "a"], ["write", "a"], false],
    ["a read waits for an earlier write", ["write", "a"], ["read", "a"], false],
    ["two reads run side by side", ["read", "a"], ["read", "a"], true],
    ["writes of two files run side by side", ["write", "a"], ["write", "b"], true],
  ] as const)("%s", async (_, [one, path], [other, otherPath], sideBySide) => {
    const { server, order, open } = filing();
    const client = rawClient(server);
    const here = await client.session();
    await client.post(call(one, { id: "first", path }, 1), here);
    await settled();
    const second = await client.post(call(other, { id: "second", path: otherPath }, 2), here);
    await settled();
    expect(order).toEqual(sideBySide ? ["first begins", "second begins"] : ["first begins"]);
    open("second");
    open("first");
    await second.text();
    expect(order.includes("second ends")).toBe(true);
    await server.close();
  });

  it("a call that is cancelled while it waits holds up nobody", async () => {
    const { server, order, open } = filing();
    const client = rawClient(server);
    const here = await client.session();
    await client.post(call("write", { id: "first", path: "a" }, 1), here);
    await client.post(call("write", { id: "second", path: "a" }, 2), here);
    await settled();
    await client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }, here);
    const third = await client.post(call("write", { id: "third", path: "a" }, 3), here);
    open("first");
    open("third");
    await third.text();
    expect(order).toEqual(["first begins", "first ends", "third begins", "third ends"]);
    await server.close();
  });
});
