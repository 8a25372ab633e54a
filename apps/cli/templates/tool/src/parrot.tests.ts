import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import { createExecutor, createRegistry, toToolResult } from "@cogency/tools";
import { parrot } from "./parrot.js";

async function resultOf(args: { text?: string; times?: number }) {
  const executor = createExecutor({ registry: createRegistry([parrot()]) });
  const [execution] = await executor.run([{ name: "parrot", args }], { conversation: "test" });
  if (!execution) throw new Error("One call gives one execution.");
  return toToolResult(execution);
}

test("repeats a text", async () => {
  deepEqual(await resultOf({ text: "hello", times: 2 }), { tool: "parrot", status: "success", content: "hello hello" });
});

test("tells the model which argument is missing", async () => {
  const { status, content } = await resultOf({});
  deepEqual(status, "failure");
  match(String(content), /text/);
});
