import { expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";
import { wholeResult } from "../host.ts";
import { toToolResult } from "../index.ts";

it("what a hook threw that withholds a result reaches the host, but neither the model nor the log: it may quote the result", async () => {
  const hooks = [{ name: "redact", afterToolUse: () => JSON.parse("password=hunter2") }];
  const [execution] = await executorOf([freeTool("tell", () => "password=hunter2")], { hooks }).run(
    [{ name: "tell", args: {} }],
    batchContext(),
  );
  if (!execution) throw new Error("There is no execution.");
  expect(execution.error?.message).toContain("hunter2");
  const withheld = {
    tool: "tell",
    status: "failure",
    content: "The tool ran, but its result is withheld: a hook failed.",
  };
  expect([toToolResult(execution), wholeResult(execution)]).toEqual([withheld, withheld]);
});
