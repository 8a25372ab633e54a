import { scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block } from "../../test/support/fixtures.ts";
import { createAgent } from "../index.ts";

describe("the activity of calls", () => {
  it("has the arguments as the schema was given them; those of a call that never began may not fit", async () => {
    const given: unknown[] = [];
    const measure = defineTool({
      name: "measure",
      description: "Measures.",
      input: z.object({ size: z.string().transform(Number), unit: z.string().default("cm") }),
      approval: "ask",
      execute: (args) => given.push(args),
    });
    const calls = block(["measure", { size: "5" }], ["measure", { size: "no", long: true }], ["measur", { x: 1 }]);
    const agent = createAgent({ provider: scripted([calls, "Done."]), tools: [measure] });
    const told: unknown[] = [];
    await agent.ask("go", {
      async approve({ call }) {
        told.push(["approve", call.args]);
        return true;
      },
      on(event) {
        if (event.type === "approval_requested" || event.type === "tool_started") told.push([event.type, event.args]);
        if (event.type === "tool_ended") told.push([event.name, event.started, event.args]);
      },
    });
    expect(given).toEqual([{ size: 5, unit: "cm" }]);
    expect(told.toSorted()).toEqual(
      [
        ["approval_requested", { size: "5" }],
        ["approve", { size: "5" }],
        ["tool_started", { size: "5" }],
        ["measure", true, { size: "5" }],
        ["measure", false, { size: "no", long: true }],
        ["measur", false, { x: 1 }],
      ].toSorted(),
    );
  });
});
