import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool, parallel } from "../../test/support/fixtures.ts";
import { ToolError } from "../errors.ts";

describe("throwOnToolFailure", () => {
  const ran: string[] = [];
  const good = freeTool("good", () => ran.push("good"));
  const bad = freeTool("bad", () => Promise.reject(new Error("API timeout")));
  const executor = executorOf([good, bad], { throwOnToolFailure: true });
  const run = (...names: string[]) =>
    executor.run(
      names.map((name) => ({ name, args: {} })),
      batchContext(),
      parallel,
    );

  it("runs one after another, ends at the first failure, and throws with an execution for every call", async () => {
    ran.length = 0;
    const error = await run("good", "bad", "good").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({
      code: "tool_failed",
      tool: "bad",
      message: "The tool bad failed: API timeout",
      cause: { message: "API timeout" },
      executions: [{ outcome: "success" }, { outcome: "failure" }, { outcome: "skipped" }],
    });
    expect(ran).toEqual(["good"]);
  });

  it.each([["nope"], ["good"]])("counts an unknown tool as a failure, and a success not (%s)", async (name) => {
    const executions = run(name);
    if (name === "nope")
      await expect(executions).rejects.toMatchObject({ tool: "nope", cause: { code: "unknown_tool" } });
    else expect(await executions).toMatchObject([{ outcome: "success" }]);
  });
});
