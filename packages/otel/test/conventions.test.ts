import { createAgent } from "@cogency/agent";
import { ProviderError, scripted } from "@cogency/provider";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { traceAgent } from "../src/index.ts";
import { attributeProblems, spanConventions } from "./support/conventions.ts";
import { calling, fail, look, pay, usage } from "./support/shop.ts";
import { tracing } from "./support/tracing.ts";

const kinds: Readonly<Record<string, SpanKind>> = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** A run with everything that spans tell of, and its spans. */
async function spansOf(content: boolean): Promise<ReadableSpan[]> {
  const { tracer, spans } = tracing();
  const agent = createAgent({
    provider: scripted([
      calling({ name: "look", args: { at: "the house" } }, { name: "fail" }, { name: "pay" }, { name: "gone" }),
      { chunks: "<think>So.</think>A door.<end>", usage },
      { error: new ProviderError("authentication", "The key secret-key is refused.") },
    ]),
    tools: [look, fail, pay],
    request: { maxOutputTokens: 500, temperature: 0.5, stop: ["STOP"] },
    execution: { approval: { approve: async ({ call }) => call.name !== "pay" } },
  });
  traceAgent(agent, { tracer, name: "guide", content });
  await agent.ask("What is there?", { conversation: "tour" });
  await agent.ask("And now?", { conversation: "tour" });
  return spans();
}

describe.each([false, true])("the spans of an agent, with content: %s", (content) => {
  it("have the names, kinds and attributes of the conventions, and all that these require", async () => {
    const spans = await spansOf(content);
    const operations = spans.map(({ attributes }) => String(attributes["gen_ai.operation.name"]));
    expect(new Set(operations)).toEqual(new Set(Object.keys(spanConventions)));
    for (const [index, { name, kind, attributes }] of spans.entries()) {
      const convention = spanConventions[operations[index] as string];
      if (!convention) throw new Error(name);
      expect(name).toBe(convention.name.replace(/\{(.+?)\}/g, (_, attribute) => String(attributes[attribute])));
      expect(kind).toBe(kinds[convention.kind]);
      // The conventions know conversations of requests and runs; here calls have theirs, too.
      const table = { "gen_ai.conversation.id": "string required", ...convention.attributes };
      expect(attributeProblems(attributes, table)).toEqual([]);
      expect(attributes["gen_ai.conversation.id"]).toBe("tour");
    }
  });

  it("say what they can, and content only when asked", async () => {
    const spans = await spansOf(content);
    const namesOf = (name: string, of = 0) =>
      Object.keys(spans.filter((span) => span.name === name)[of]?.attributes ?? {})
        .filter((attribute) => !attribute.startsWith("cogency."))
        .sort();
    const messages = content ? ["gen_ai.input.messages", "gen_ai.output.messages"] : [];
    const counted = [
      "gen_ai.usage.cache_creation.input_tokens",
      "gen_ai.usage.cache_read.input_tokens",
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.output_tokens",
    ];
    const always = ["gen_ai.conversation.id", "gen_ai.operation.name"];
    const model = ["gen_ai.provider.name", "gen_ai.request.model"];
    expect(namesOf("chat scripted-1")).toEqual(
      [
        ...[...always, ...model, ...messages, ...counted],
        ...["gen_ai.request.max_tokens", "gen_ai.request.stop_sequences", "gen_ai.request.stream"],
        ...["gen_ai.request.temperature", "gen_ai.response.finish_reasons", "gen_ai.response.time_to_first_chunk"],
        "gen_ai.usage.reasoning.output_tokens",
      ].sort(),
    );
    expect(namesOf("invoke_agent guide")).toEqual(
      [...always, ...model, ...messages, ...counted, "gen_ai.agent.name"].sort(),
    );
    const call = [...always, "gen_ai.tool.call.id", "gen_ai.tool.name", "gen_ai.tool.type"];
    const given = content ? ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"] : [];
    expect(namesOf("execute_tool look")).toEqual([...call, ...given].sort());
    const told = JSON.stringify(spans.map(({ attributes, status, events }) => [attributes, status, events]));
    const secrets = ["What is there?", "A door.", "the house", "a door", "secret reason", "secret-key"];
    expect(secrets.map((secret) => told.includes(secret))).toEqual(secrets.map(() => content));
  });

  it("are errors where the operation failed, with its code", async () => {
    const spans = await spansOf(content);
    const failed = spans.flatMap(({ name, status, attributes }) =>
      status.code === SpanStatusCode.ERROR ? [`${name}: ${attributes["error.type"]}`] : [],
    );
    expect(failed.sort()).toEqual([
      "chat scripted-1: authentication",
      "execute_tool fail: failure",
      "execute_tool gone: failure",
      "execute_tool pay: denied",
      "invoke_agent guide: provider",
    ]);
    const others = spans.filter(({ attributes }) => attributes["error.type"] === undefined);
    expect(others.map(({ status }) => status.code)).toEqual(others.map(() => SpanStatusCode.UNSET));
  });
});

describe("the content of spans", () => {
  it("is what the model read and wrote, in the form of the conventions", async () => {
    const spans = await spansOf(true);
    const [first, second] = spans.filter(({ name }) => name === "chat scripted-1");
    const read = (span: ReadableSpan | undefined, name: string) => JSON.parse(String(span?.attributes[name]));
    const asked = { role: "user", parts: [{ type: "text", content: "What is there?" }] };
    expect(read(first, "gen_ai.input.messages")).toEqual([asked]);
    const [answer] = read(first, "gen_ai.output.messages");
    expect(answer).toMatchObject({
      role: "assistant",
      finish_reason: "stop",
      parts: [
        { type: "text", content: "On it." },
        { type: "tool_call", name: "look", arguments: { at: "the house" } },
        { type: "tool_call", name: "fail" },
        { type: "tool_call", name: "pay" },
        { type: "tool_call", name: "gone" },
      ],
    });
    const ids = answer.parts.slice(1).map(({ id }: { id: string }) => id);
    const input = read(second, "gen_ai.input.messages");
    expect(input.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(input[2].parts.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(input[2].parts[0]).toMatchObject({ type: "tool_call_response", response: "a door" });
    const last = [
      {
        role: "assistant",
        finish_reason: "stop",
        parts: [
          { type: "reasoning", content: "So." },
          { type: "text", content: "A door." },
        ],
      },
    ];
    expect(read(second, "gen_ai.output.messages")).toEqual(last);
    const run = spans.find(({ name }) => name === "invoke_agent guide");
    expect(read(run, "gen_ai.input.messages")).toEqual([asked]);
    expect(read(run, "gen_ai.output.messages")).toEqual(last);
  });

  it("is the same when the run yields pieces", async () => {
    const outputs = await Promise.all(
      (["event", "token"] as const).map(async (stream) => {
        const { tracer, spans } = tracing();
        const provider = scripted([calling({ name: "look" }), "<think>So.</think>A door.<end>"], { chunkSize: 3 });
        const agent = createAgent({ provider, tools: [look] });
        traceAgent(agent, { tracer, content: true });
        await agent.run("What is there?", { stream }).result;
        const withoutIds = (text: unknown) => String(text).replace(/"id":"[^"]*"/g, '"id":""');
        return spans().map(({ attributes }) => withoutIds(attributes["gen_ai.output.messages"]));
      }),
    );
    expect(outputs[0]).toContainEqual(expect.stringContaining("A door."));
    expect(outputs[1]).toEqual(outputs[0]);
  });
});
