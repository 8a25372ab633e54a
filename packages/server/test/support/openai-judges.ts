import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import OpenAI from "openai";

/** What a client has read of a streamed answer. */
export interface Judged {
  text: string;
  calls: readonly { name: string; args: unknown }[];
  finish: string;
}

const answering = (body: string) => async () =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

/** The client of OpenAI reads the body of a streamed chat completion. @throws what it throws */
export async function judgeCompletion(body: string): Promise<Judged> {
  const client = new OpenAI({ apiKey: "k", baseURL: "http://judge.test/v1", maxRetries: 0, fetch: answering(body) });
  const stream = client.chat.completions.stream({ model: "agent", messages: [{ role: "user", content: "Hi" }] });
  const { choices } = await stream.finalChatCompletion();
  const [choice] = choices;
  return {
    text: choice?.message.content ?? "",
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? { name: call.function.name, args: JSON.parse(call.function.arguments) } : [],
    ),
    finish: String(choice?.finish_reason),
  };
}

/** The client of OpenAI reads the body of a streamed response. @throws what it throws */
export async function judgeResponse(body: string): Promise<Judged> {
  const client = new OpenAI({ apiKey: "k", baseURL: "http://judge.test/v1", maxRetries: 0, fetch: answering(body) });
  const response = await client.responses.stream({ model: "agent", input: "Hi" }).finalResponse();
  return {
    text: response.output_text,
    calls: response.output.flatMap((item) =>
      item.type === "function_call" ? { name: item.name, args: JSON.parse(item.arguments) } : [],
    ),
    finish: String(response.status),
  };
}

/** The AI SDK reads the body by its schemas. @throws what it throws */
export async function judgeByAISdk(body: string, wire: "chat" | "responses" | "compatible"): Promise<Judged> {
  const options = { apiKey: "k", baseURL: "http://judge.test/v1", fetch: answering(body) };
  const openai = createOpenAI(options);
  const compatible = createOpenAICompatible({ ...options, name: "agent" });
  const model =
    wire === "compatible" ? compatible("agent") : wire === "chat" ? openai.chat("agent") : openai.responses("agent");
  const failures: unknown[] = [];
  const result = streamText({ model, prompt: "Hi", maxRetries: 0, onError: ({ error }) => void failures.push(error) });
  await result.consumeStream({ onError: (error) => void failures.push(error) });
  if (failures.length > 0) throw failures[0];
  const calls = await result.toolCalls;
  return {
    text: await result.text,
    // A request for approval is a call of a tool of this name there.
    calls: calls.flatMap(({ toolName, input }) => (toolName.startsWith("mcp.") ? [] : { name: toolName, args: input })),
    finish: await result.finishReason,
  };
}
