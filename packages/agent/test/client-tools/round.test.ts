import type { ToolCall } from "@cogency/protocol";
import type { ScriptedReply } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { add, machines, recordsOf } from "../support/client-tools.ts";
import { driverHarnesses } from "../support/driver-harnesses.ts";
import { resultsIn } from "../support/fixtures.ts";

const drivers = ["json", "xml", "native", "react"] as const;

function playedBy(name: (typeof drivers)[number]) {
  const harness = driverHarnesses[name]?.();
  if (!harness) throw new Error(`There is no driver ${name}.`);
  const write = (calls: readonly ToolCall[]): ScriptedReply => harness.write({ calls });
  const say = (text: string): ScriptedReply => harness.write({ text, isOver: true });
  return { driver: harness.driver({ callDeltas: true }), write, say };
}

describe.each(drivers)("a tool that a client brings, with the driver %s", (name) => {
  it("is offered, called, answered by the client in another process, and its output is the result", async () => {
    const { driver, write, say } = playedBy(name);
    const { store, log, machine } = machines({ driver });
    const first = machine([write([{ name: "add", args: { a: 1, b: 2 } }])]);
    const asked = await first.prompt("Add 1 and 2.", [add]);
    expect(asked).toMatchObject({
      status: "waiting",
      waiting: [{ asks: "answer", client: true, name: "add", args: { a: 1, b: 2 } }],
    });
    expect(JSON.stringify(first.provider.requests[0])).toContain("Adds two numbers.");
    const second = machine([say("It is 3.")]);
    const done = await second.answer(asked.waiting?.[0]?.question, { output: { sum: 3 } });
    expect(done).toMatchObject({ status: "completed", text: "It is 3." });
    expect(await resultsIn(store)).toEqual([[{ tool: "add", status: "success", content: { sum: 3 } }]]);
    const [before] = first.provider.requests;
    const [after] = second.provider.requests;
    expect([after?.system, after?.tools]).toEqual([before?.system, before?.tools]);
    const stored = await log();
    expect(recordsOf(stored, "client_tools")).toEqual([{ tools: [add] }]);
    expect(recordsOf(stored, "content")).toContainEqual(
      expect.objectContaining({ holds: "untrusted", source: "client tool add" }),
    );
  });
});
