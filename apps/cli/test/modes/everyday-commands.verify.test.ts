import { createExecutor, createRegistry } from "@cogency/tools";
import { expect, it } from "vitest";
import { isolation } from "../support/isolation.ts";
import { callOf, everyday } from "./everyday-commands.ts";
import { opened } from "./opened.ts";

const { isolated } = await isolation();

it.runIf(isolated)("everyday commands run in the sandbox without a question, where the table says so", async () => {
  const { tools, approval, asked } = await opened("sandboxed");
  const executor = createExecutor({ registry: createRegistry(tools), approval });
  const slow = /npm|npx|cargo|go test|make|pytest|sudo|curl/;
  const calls = everyday
    .filter(([call, , , fate]) => fate === "runs" && typeof call === "string" && !slow.test(call))
    .map(([call]) => callOf(call));
  expect(calls.length).toBeGreaterThan(30);
  const executions = await executor.run(calls, { conversation: "c", content: [] });
  expect(asked).toEqual([]);
  const refused = executions.filter(({ outcome }) => outcome !== "success" && outcome !== "failure");
  expect(refused).toEqual([]);
  const failed = executions.filter(({ outcome }) => outcome === "failure").map(({ call }) => call.args.command);
  // Some machines lack a program, and after the first commit nothing is left to commit.
  const mayFail = /^(?:rg |git stash|git commit -m "\$)/;
  const must = ["git config user.name mallory", "cat ~/.ssh/id_rsa", "cat ../secret.txt", "echo x > /etc/passwd"];
  expect(failed).toEqual(expect.arrayContaining(must));
  expect(failed.map(String).filter((line) => !must.includes(line) && !mayFail.test(line))).toEqual([]);
});
