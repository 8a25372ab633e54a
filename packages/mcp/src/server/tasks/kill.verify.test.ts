import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { refunds } from "../../../test/server/tasks.ts";

const program = join(import.meta.dirname, "../../../test/server/programs/slow-server.ts");

/** A client of the server that keeps its conversations in this folder; the person approves everything. */
async function started(place: string, ...answers: string[]) {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "legacy" }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { decision: "approve" } }));
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, place, ...answers] });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, kill: () => process.kill(transport.pid as number, "SIGKILL") };
}

it("a kill ends a task, and another process goes on in the conversation that its state named", async () => {
  const place = mkdtempSync(join(tmpdir(), "cogency-mcp-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const anything = {
    "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value: value as never }) },
  } as const;
  const first = await started(place, refunds.replace('"order":7', ""));
  const params = { name: "ask_agent", arguments: { prompt: "Refund it." }, task: {} };
  const { task } = (await first.client.request({ method: "tools/call", params }, anything)) as {
    task: { taskId: string };
  };
  type State = { status: string; _meta: Record<string, string> };
  const state = () =>
    first.client.request({ method: "tasks/get", params: { taskId: task.taskId } }, anything) as Promise<State>;
  await expect.poll(async () => (await state()).status).toBe("input_required");
  const conversation = (await state())._meta["cogency/conversation"];
  first.kill();
  const second = await started(place, "Refunded.<end>");
  await expect(
    second.client.request({ method: "tasks/get", params: { taskId: task.taskId } }, anything),
  ).rejects.toMatchObject({ code: -32602 });
  const later = await second.client.callTool({ name: "ask_agent", arguments: { conversation } });
  expect(later.structuredContent).toMatchObject({ conversation, status: "completed", text: "Refunded." });
});
