import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createExecutor, createRegistry } from "@cogency/tools";
import { expect, it } from "vitest";
import { openJobsFor } from "../../src/work/jobs.ts";
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

it.runIf(isolated)(
  "a server in the background answers the next call, and none of it asks in the mode sandboxed",
  async () => {
    const { tools, approval, asked, root } = await opened("sandboxed");
    const listening =
      'require("http").createServer((_, r) => r.end("it works")).listen(3000, () => console.log("listening"))';
    writeFileSync(join(root, "server.js"), listening);
    const executor = createExecutor({ registry: createRegistry(tools), approval });
    const results: unknown[] = [];
    for (const [name, args] of [
      ["shell", { command: "node server.js", background: true }],
      ["shell_output", { job: "job_1", wait: 60, until: "listening" }],
      ["shell", { command: "curl -sS --max-time 20 http://127.0.0.1:3000 | tee seen.txt" }],
      ["shell_stop", { job: "job_1" }],
      ["shell", { command: "curl -sS --max-time 20 http://127.0.0.1:3000 || echo gone" }],
    ] as const) {
      const [done] = await executor.run([{ id: name, name, args }], { conversation: "c", content: [] });
      results.push(done?.outcome === "success" ? done.value : done);
    }
    expect(asked).toEqual([]);
    expect(results).toMatchObject([
      { job: "job_1", state: "running" },
      { job: "job_1" },
      { stdout: "it works" },
      { job: "job_1" },
      { stdout: "gone\n" },
    ]);
    expect(readFileSync(join(root, "seen.txt"), "utf8")).toBe("it works");
  },
);

it.runIf(isolated)(
  "a port that the person has named leads to a server in the background, and to nothing when that has gone",
  async () => {
    const port = await freePort();
    const problems: string[] = [];
    const jobs = openJobsFor({ forward: [port] }, { warn: (problem) => problems.push(problem), send: async () => {} });
    const { tools, approval, root } = await opened("sandboxed", undefined, jobs);
    const listening = `require("http").createServer((_, r) => r.end("it works")).listen(${port}, () => console.log("listening"))`;
    writeFileSync(join(root, "server.js"), listening);
    const executor = createExecutor({ registry: createRegistry(tools), approval });
    for (const [name, args] of [
      ["shell", { command: "node server.js", background: true }],
      ["shell_output", { job: "job_1", wait: 60, until: "listening" }],
    ] as const) {
      const [done] = await executor.run([{ id: name, name, args }], { conversation: "c", content: [] });
      expect(done?.outcome).toBe("success");
    }
    const look = () => fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    expect(await look()).toBe("it works");
    expect(await jobs.endAll()).toBe(1);
    await expect(look()).rejects.toThrow("fetch failed");
    expect(problems).toEqual([]);
  },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
