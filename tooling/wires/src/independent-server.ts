import type { ModelRequest } from "@cogency/provider";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll } from "vitest";

/** How a wire differs from the others. */
export interface WireFacts {
  /** A usage of 11 tokens in and 2 out, in the words of the wire. */
  usage: Record<string, number>;
  /** The ids of the two calls for the weather. */
  callIds: readonly [oslo: string, bergen: string];
}

/** A server that others wrote, which speaks the wires of OpenAI, of Anthropic and of Gemini. */
export interface IndependentServer extends WireFacts {
  server: LLMock;
}

/** Starts the server before the tests of a file, and stops it after them. Its answer depends on the prompt. */
export function independentServer({ usage, callIds }: WireFacts): IndependentServer {
  const server = new LLMock({ port: 0, chunkSize: 5 });
  const [oslo, bergen] = callIds;
  beforeAll(async () => {
    server.onMessage("hello", { content: "Hello, how are you?" });
    server.onMessage("think", { content: "42", reasoning: "Six times seven." });
    server.onMessage("cost", { content: "ok", usage });
    server.onMessage("long", { content: "and so on", finishReason: "length" });
    server.onMessage("weather", {
      toolCalls: [
        { id: oslo, name: "weather", arguments: '{"city":"Oslo"}' },
        { id: bergen, name: "weather", arguments: '{"city":"Bergen"}' },
      ],
    });
    server.onMessage("busy", {
      error: { message: "Try later.", type: "rate_limit_error" },
      status: 429,
      retryAfter: 3,
    });
    await server.start();
  });
  afterEach(() => server.clearChaos());
  afterAll(() => server.stop());
  return { server, usage, callIds };
}

/** A request with this prompt. */
export function requestOf(content: string): ModelRequest {
  return { system: "Be brief.", messages: [{ role: "user", content }] };
}

/** The tool that the answer to "weather" calls. */
export const weatherTools = [{ name: "weather", description: "The weather.", parameters: { type: "object" } }];
