import { type JsonSchema, type LogEvent, type MessageForm, protocolPrompt, toMessages } from "@cogency/protocol";
import { generate, type ModelEvent, type ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { offline } from "../offline.ts";

const text = { type: "string" };
const tools = [
  { name: "list", description: "List.", parameters: { type: "object", properties: { path: text } } },
  { name: "read", description: "Read.", parameters: { type: "object", properties: { file: text } } },
];
const decisions =
  '## Decisions\n\n…\n\n## Tools\n\n- list: List.\n  parameters: {"properties":{"path":{}}}\n- read: Read.\n  parameters: {"properties":{"file":{}}}';
const format = { type: "object", properties: { thought: text, decision: {} } };

/** What a request in each form says beside its messages. */
const forms: Record<MessageForm, Omit<ModelRequest, "messages">> = {
  json: { system: protocolPrompt(tools) },
  xml: { system: protocolPrompt(tools, { dialect: "xml" }) },
  native: { system: "Be brief.", tools },
  react: { system: decisions },
};

const at = { timestamp: 0 };
const asked: LogEvent = { type: "user", content: "list src and read a.txt", ...at };
const calls: LogEvent[] = [
  { type: "call", content: '{"name":"list","args":{"path":"src"}}', ...at },
  { type: "call", content: '{"name":"read","args":{"file":"a.txt"}}', ...at },
];
const results: LogEvent = {
  type: "result",
  content:
    '[{"tool":"list","status":"success","content":{"path":"src","entries":["a.ts"]}},{"tool":"read","status":"failure","content":"No such\\nfile."}]',
  payload: { tools_executed: 2, success_count: 1, failure_count: 1 },
  ...at,
};
const answer = "`src` holds 1 file and no folders:\n\n- `a.ts`\n\nReading `a.txt` failed:";

async function ask(form: MessageForm, log: LogEvent[], more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  return generate(offline(), { ...forms[form], messages: toMessages(log, { form }), ...more });
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

describe("the offline model", () => {
  it("writes calls as elements where the prompt teaches the XML dialect", async () => {
    const written = textOf(await ask("xml", [asked]));
    expect(written).toContain("<list><path>src</path></list>");
    expect(written).toMatch(/<\/execute>$/);
  });

  it("makes native calls, and thinks apart from the text", async () => {
    const events = await ask("native", [asked]);
    expect(textOf(events)).toBe("");
    expect(events.filter(({ type }) => type !== "tool_call_delta")).toMatchObject([
      { type: "reasoning", text: "The request needs list and read: 2 calls, in one batch." },
      { type: "tool_call", id: "call_0", name: "list", arguments: '{"path":"src"}' },
      { type: "tool_call", id: "call_1", name: "read", arguments: '{"file":"a.txt"}' },
      { type: "usage" },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it("makes one call in each decision, and answers when all are made", async () => {
    const first = JSON.parse(textOf(await ask("react", [asked])));
    expect(first).toMatchObject({ type: "call_tool", tool: "list", args: { path: "src" } });
    const observed: LogEvent = {
      ...results,
      content: '[{"tool":"list","status":"success","content":{"entries":[]}}]',
    } as LogEvent;
    const log = [asked, calls[0] as LogEvent, observed];
    expect(JSON.parse(textOf(await ask("react", log)))).toMatchObject({ type: "call_tool", tool: "read" });
  });

  it("puts the decision into a field, and its arguments into a text, where the format says so", async () => {
    expect(JSON.parse(textOf(await ask("react", [asked], { format })))).toEqual({
      thought: "The request needs one call of list.",
      decision: { type: "call_tool", tool: "list", args: '{"path":"src"}' },
    });
  });

  it.each<[MessageForm, (written: string) => string]>([
    ["json", (written) => written],
    ["xml", (written) => written],
    ["native", (written) => written],
    ["react", (written) => JSON.parse(written).answer],
  ])("answers from results in the form %s", async (form, read) => {
    const events = await ask(form, [asked, ...calls, results]);
    expect(read(textOf(events))).toContain(answer);
    expect(textOf(events).includes("<end>")).toBe(form === "json" || form === "xml");
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });

  it("calls nothing where no tool may be chosen", async () => {
    const events = await ask("native", [asked], { toolChoice: "none" });
    expect(events.some(({ type }) => type === "tool_call")).toBe(false);
  });

  it("cuts native arguments at the limit, and says so", async () => {
    const whole = await ask("native", [asked]);
    const thought = whole.find(({ type }) => type === "reasoning") as { text: string };
    const events = await ask("native", [asked], { maxOutputTokens: thought.text.split(" ").length + 3 });
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "length" });
  });

  const schema: JsonSchema = {
    type: "object",
    properties: { summary: text, count: { type: "integer", minimum: 3 } },
    required: ["summary", "count"],
  };

  it.each<MessageForm>(["json", "xml", "native"])(
    "fills a format and writes nothing else in the form %s",
    async (form) => {
      const written = textOf(await ask(form, [{ ...asked, content: "hello" } as LogEvent], { format: schema }));
      expect(JSON.parse(written)).toEqual({ summary: expect.stringContaining("I am `offline-1`"), count: 3 });
    },
  );

  it("fills a schema that the prompt shows, after the calls", async () => {
    const system = `Answer with JSON. It must fit this JSON Schema:\n${JSON.stringify(schema)}\n\n${protocolPrompt(tools)}`;
    expect(textOf(await ask("json", [asked], { system }))).toContain("<execute>");
    const written = textOf(await ask("json", [asked, ...calls, results], { system }));
    expect(written).toMatch(/^<think>.*<\/think>\n\n\{"summary":"`src` holds .*","count":3\}\n\n<end>$/);
  });
});
