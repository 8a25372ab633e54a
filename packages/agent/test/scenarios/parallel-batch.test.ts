import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { hooked } from "../hooks/stage.ts";
import { block, resultsIn } from "../support/fixtures.ts";

/** What the test sees of tools that wait until it opens their gate. */
function gatedTools() {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const running = new Set<string>();
  const order: string[] = [];
  let most = 0;
  const tools = ["first", "second", "third"].map((name) => {
    gates.set(name, Promise.withResolvers());
    return defineTool({
      name,
      description: "Waits.",
      input: { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
      async execute() {
        running.add(name);
        most = Math.max(most, running.size);
        order.push(`${name} begins`);
        await gates.get(name)?.promise;
        order.push(`${name} ends`);
        running.delete(name);
        if (name === "second") throw new Error("out of paper");
        return name;
      },
    });
  });
  return { tools, order, most: () => most, open: (name: string) => gates.get(name)?.resolve() };
}

const steps = [block(["first", {}], ["second", {}], ["third", {}]), "Done.<end>"];

describe("S12 a batch of several calls", () => {
  it("runs them beside each other, and the model reads their results in the order of the calls", async () => {
    const { tools, open, most } = gatedTools();
    const stage = hooked(steps, [], { tools, execution: { concurrency: 3 } });
    // None may end before the last one has begun; then they end in another order than they were called.
    const ends = ["second", "third", "first"];
    let begun = 0;
    stage.on("tool_started", () => {
      if (++begun === 3) open("second");
    });
    stage.on("tool_ended", ({ name }) => open(ends[ends.indexOf(name) + 1] ?? ""));
    expect(await stage.go()).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(most()).toBe(3);
    const [results] = await resultsIn(stage.store);
    expect(results).toMatchObject([
      { tool: "first", status: "success", content: "first" },
      { tool: "second", status: "failure", content: expect.stringContaining("out of paper") },
      { tool: "third", status: "success", content: "third" },
    ]);
    const ended = stage.toldOf("tool_ended");
    expect(ended.map(({ name }) => name)).toEqual(ends);
    const idOf = new Map(stage.toldOf("tool_started").map(({ name, id }) => [name, id]));
    expect(ended.map(({ id }) => id)).toEqual(ends.map((name) => idOf.get(name)));
    expect(new Set(idOf.values()).size).toBe(3);
    expect(stage.toldOf("result")).toMatchObject([{ ids: ["first", "second", "third"].map((name) => idOf.get(name)) }]);
  });

  it("runs one after the other where only one may run at a time", async () => {
    const { tools, open, order, most } = gatedTools();
    const stage = hooked(steps, [], { tools, execution: { concurrency: 1 } });
    stage.on("tool_started", ({ name }) => open(name));
    expect(await stage.go()).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(most()).toBe(1);
    expect(order).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
    const pairs = stage.told.filter(({ type }) => type === "tool_started" || type === "tool_ended");
    expect(pairs.map((event) => ("name" in event ? `${event.type} ${event.name}` : ""))).toEqual(
      ["first", "second", "third"].flatMap((name) => [`tool_started ${name}`, `tool_ended ${name}`]),
    );
    const [results] = await resultsIn(stage.store);
    expect(results?.map(({ status }) => status)).toEqual(["success", "failure", "success"]);
  });
});
