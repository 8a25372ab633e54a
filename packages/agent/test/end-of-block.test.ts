import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { protocolDriver } from "../src/drivers/protocol-driver.ts";
import { block, collect, echo, types } from "./support/fixtures.ts";

describe("after the end of a block, the agent", () => {
  it("reads nothing that comes after the block, and stops the generation there", async () => {
    const provider = scripted([
      { chunks: [block(["echo", { text: "x" }]), "\n", "I already know", "!"], delay: 1, hang: true },
      "ok",
    ]);
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 60_000 }) });
    const events = await collect(agent.run("go"));
    expect(types(events)).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
    expect(events[4]).toMatchObject({ type: "metric", step: { estimated: true } });
  });

  it("waits a short grace after the block, so that usage is exact", async () => {
    const usage = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2, reasoning: 0 };
    const provider = scripted([
      { chunks: [block(["echo", { text: "x" }]), "\n"], delay: 1, usage },
      { chunks: "ok", usage },
    ]);
    const metrics = (await collect(createAgent({ provider, tools: [echo] }).run("go"))).filter(
      ({ type }) => type === "metric",
    );
    expect(metrics).toMatchObject([
      { step: usage, total: usage },
      { step: usage, total: { input: 20, output: 10, cacheRead: 2, cacheWrite: 4, reasoning: 0 } },
    ]);
    expect(metrics[0]).not.toHaveProperty("step.estimated");
  });

  it("gives up on usage when the grace is over", async () => {
    const provider = scripted([{ chunks: block(["echo", { text: "x" }]), hang: true }, "ok"]);
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 5 }) });
    expect(await agent.run("go").result).toMatchObject({ status: "completed", usage: { estimated: true } });
  });
});
