import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;
let client: OpenAI;

beforeAll(async () => {
  demo = await startDemo("--port", "0");
  client = new OpenAI({ baseURL: `${demo.origin}/v1`, apiKey: "none", maxRetries: 0 });
});
afterAll(() => demo.kill());

const user = (content: string) => [{ role: "user" as const, content }];
const add = {
  name: "add",
  description: "Add two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
};

describe.concurrent("the demo through the client of OpenAI", () => {
  it("names its model", async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["agent"]);
  });

  it("greets, in both APIs, streamed and not", async () => {
    const chat = await client.chat.completions.create({ model: "agent", messages: user("Good morning") });
    expect(chat.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: expect.stringMatching(/^Hello!/) },
    });
    const streamed = client.chat.completions.stream({ model: "agent", messages: user("Good morning") });
    expect(await streamed.finalContent()).toBe(chat.choices[0]?.message.content);
    const response = await client.responses.create({ model: "agent", input: "Good morning" });
    expect([response.status, response.output_text]).toEqual(["completed", chat.choices[0]?.message.content]);
    const stream = client.responses.stream({ model: "agent", input: "Good morning" });
    expect((await stream.finalResponse()).output_text).toBe(response.output_text);
  });

  it("calls a tool of its own and reports at “use a tool”", async () => {
    const chat = await client.chat.completions.create({ model: "agent", messages: user("use a tool") });
    expect(chat.choices[0]?.message.content).toContain("The tool weather says: Kiel: rain, 9 °C");
    const response = await client.responses.create({ model: "agent", input: "use a tool" });
    expect(response.output_text).toContain("The tool weather says: Kiel: rain, 9 °C");
  });

  it.each([
    ["use the tool", true, "The tool send_postcard says: The postcard to Ada is on its way."],
    ["approve this", false, "The tool send_postcard did not work"],
  ])("asks a person at “%s”, and reports after the decision %s", async (input, approve, report) => {
    const asked = await client.responses.create({ model: "agent", input });
    const request = asked.output.find(({ type }) => type === "mcp_approval_request");
    expect(request).toMatchObject({ name: "send_postcard" });
    const decided = await client.responses.create({
      model: "agent",
      previous_response_id: asked.id,
      input: [{ type: "mcp_approval_response", approval_request_id: request?.id ?? "", approve }],
    });
    expect(decided.output_text).toContain(report);
  });

  it("calls the client's tool, and reports its result, with runTools", async () => {
    const given: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model: "agent",
      messages: user("Add 1 and 2 with the tool."),
      tools: [
        {
          type: "function",
          function: {
            ...add,
            parse: JSON.parse,
            function: (args: { a: number; b: number }) => {
              given.push(args);
              return String(args.a + args.b);
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("The tool add says: 3");
    expect(given).toEqual([{ a: 1, b: 2 }]);
  });

  it("calls the client's tool, and reports its result, in Responses", async () => {
    const tools = [{ type: "function" as const, strict: true, ...add }];
    const asked = await client.responses.create({ model: "agent", input: "Add 1 and 2 with the tool.", tools });
    const call = asked.output.find((item) => item.type === "function_call");
    expect(JSON.parse(call?.arguments ?? "")).toEqual({ a: 1, b: 2 });
    const said = await client.responses.create({
      model: "agent",
      previous_response_id: asked.id,
      tools,
      input: [{ type: "function_call_output", call_id: call?.call_id ?? "", output: "3" }],
    });
    expect(said.output_text).toBe("The tool add says: 3");
  });

  it("writes piece by piece at “slow please”", async () => {
    const stream = await client.chat.completions.create({
      model: "agent",
      stream: true,
      messages: user("slow please"),
    });
    const pieces: string[] = [];
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? "");
    expect(pieces.join("")).toMatch(/^1, 2, 3, .*49, 50\.$/);
    expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(5);
  });
});
