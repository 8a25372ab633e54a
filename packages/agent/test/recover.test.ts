import { scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import { block, collect, conversation, echo, resultsIn, types } from "./support/fixtures.ts";

describe("continuing after a crash", () => {
  const crashed = async (...events: Parameters<Store["append"]>[1]) => {
    const store = memoryStore();
    await store.append({ conversation }, [{ type: "user", content: "go", timestamp: 1 }, ...events]);
    return store;
  };
  const call = (id: string) =>
    ({ type: "call", content: '{"name":"echo","args":{"text":"x"}}', id, timestamp: 2 }) as const;

  it("answers calls without a result before the next request, and runs nothing twice", async () => {
    const finished = { id: "call_2", result: { tool: "echo", status: "success" as const, content: "x" } };
    const store = await crashed(
      call("call_1"),
      call("call_2"),
      { type: "record", kind: "started", data: { id: "call_1" }, timestamp: 3 },
      { type: "record", kind: "finished", data: finished, timestamp: 3 },
    );
    const provider = scripted(["I see."]);
    let ran = 0;
    const counted = { ...echo, annotations: {}, execute: () => ++ran };
    const events = await collect(createAgent({ provider, tools: [counted], store }).recover({ conversation }));
    expect(types(events)).toEqual(["result", "respond", "metric"]);
    expect(events[0]).toMatchObject({ payload: { tools_executed: 1, success_count: 1, failure_count: 1 } });
    expect(ran).toBe(0);
    expect(await resultsIn(store)).toEqual([
      [{ tool: "echo", status: "failure", content: expect.stringContaining("outcome unknown") }, finished.result],
    ]);
  });

  it("works from any point of a run, and runs no call a second time", async () => {
    const script = [`<think>a</think>b${block(["pay", {}], ["echo", { text: "x" }])}`, "done<end>"];
    for (let survived = 0; ; survived++) {
      const inner = memoryStore();
      let appends = 0;
      const dying: Store = {
        ...inner,
        append: (...batch) => (appends++ < survived ? inner.append(...batch) : Promise.reject(new Error("killed"))),
      };
      let paid = 0;
      const pay = defineTool({ name: "pay", description: "Pay.", input: z.object({}), execute: () => ++paid });
      const provider = scripted(script, { chunkSize: 4 });
      const first = await createAgent({ provider, tools: [pay, echo], store: dying }).run("go", { conversation })
        .result;

      const next = scripted(["fine", "fine"]);
      const agent = createAgent({ provider: next, tools: [pay, echo], store: inner });
      expect(await agent.run("more", { conversation }).result).toMatchObject({ status: "completed", text: "fine" });
      expect(paid).toBeLessThanOrEqual(1);
      const results = (await resultsIn(inner)).flat();
      if (paid > 0) expect(results).toContainEqual(expect.objectContaining({ tool: "pay" }));
      if (first.status === "completed") break;
      expect(first).toMatchObject({ status: "failed", error: { code: "store", message: "killed" } });
    }
  });

  it("makes a request at once if the log ends with a prompt or results", async () => {
    const provider = scripted(["Here."]);
    const agent = createAgent({ provider, store: await crashed() });
    expect(await agent.recover({ conversation }).result).toMatchObject({ text: "Here." });
    expect(provider.requests[0]?.messages).toEqual([{ role: "user", content: "go" }]);
  });

  it("asks the model to continue after half an answer", async () => {
    const provider = scripted(["rest"]);
    const store = await crashed({ type: "respond", content: "Half", timestamp: 2 });
    const events = await collect(createAgent({ provider, store }).recover({ conversation }));
    expect(events[0]).toMatchObject({ type: "user", origin: "recovery", content: "Continue." });
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("fails in an empty conversation", async () => {
    const result = await createAgent({ provider: scripted([]) }).recover({ conversation: "none" }).result;
    expect(result).toMatchObject({ status: "failed", error: { code: "nothing_to_recover" } });
  });
});
