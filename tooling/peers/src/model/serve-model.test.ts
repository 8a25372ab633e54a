import { expect, it, onTestFinished } from "vitest";
import { said } from "./reply.ts";
import { serveModel } from "./serve-model.ts";

const tools = [{ type: "function", function: { name: "run" } }];
const messages = [{ role: "user", content: "Look." }];

it("answers with what the model says, and a side request without asking it", async () => {
  const server = await serveModel();
  onTestFinished(() => server.close());
  server.model = (conversation) => said(`You said ${conversation.said.at(-1)?.text}`);
  expect(await ask(`${server.url}/v1/chat/completions`, { messages, tools })).toContain("You said Look.");
  expect(await ask(`${server.url}/v1/chat/completions`, { messages })).toContain("A short title");
});

it("refuses what no wire has", async () => {
  const server = await serveModel();
  onTestFinished(() => server.close());
  expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
});

async function ask(url: string, body: object): Promise<string> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return response.text();
}
