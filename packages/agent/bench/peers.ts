import { Agent, tool as agentsTool, type Model, Runner, type StreamEvent, setTracingDisabled } from "@openai/agents";
import { isStepCount, type LanguageModel, streamText, tool } from "ai";
import * as z from "zod";
import { answerTo, argumentOf, deltasOf, type Pause, type Received, type Work } from "./work.ts";

setTracingDisabled(true);

/** A scripted model of `@openai/agents`. `pause` is awaited after so many deltas of each answer. */
function agentsModel(work: Work, pause?: Pause): Model {
  const deltas = deltasOf(work).map((delta): StreamEvent => ({ type: "output_text_delta", delta }));
  const text = deltasOf(work).join("");
  return {
    getResponse: () => Promise.reject(new Error("Only streams are measured.")),
    async *getStreamedResponse({ input }): AsyncGenerator<StreamEvent> {
      const step = typeof input === "string" ? 0 : input.filter((item) => item.type === "function_call_result").length;
      yield { type: "response_started" };
      for (const [index, delta] of deltas.entries()) {
        if (index === pause?.after) await pause.until;
        yield delta;
      }
      const isLast = step === work.steps - 1;
      yield {
        type: "response_done",
        response: {
          id: `response-${step}`,
          usage: { requests: 1, inputTokens: 100, outputTokens: 100, totalTokens: 200 },
          output: [
            { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] },
            ...(isLast
              ? []
              : [
                  {
                    type: "function_call" as const,
                    callId: `call-${step}`,
                    name: "shout",
                    status: "completed" as const,
                    arguments: JSON.stringify(argumentOf(step)),
                  },
                ]),
          ],
        },
      };
    },
  };
}

/** One agent of `@openai/agents`; each call of the function is a run of it. */
export function openaiAgents(work: Work, pause?: Pause) {
  let calls = 0;
  const shout = agentsTool({
    name: "shout",
    description: "Say it loudly.",
    parameters: z.object({ text: z.string() }),
    execute(args) {
      calls++;
      return answerTo(args);
    },
  });
  const agent = new Agent({
    name: "bench",
    instructions: "Be brief.",
    tools: [shout],
    model: agentsModel(work, pause),
  });
  const runner = new Runner({ tracingDisabled: true });
  return async (received: Received): Promise<unknown> => {
    const before = calls;
    const result = await runner.run(agent, "go", { stream: true, maxTurns: work.steps + 1 });
    for await (const event of result) {
      if (event.type !== "raw_model_stream_event" || event.data.type !== "output_text_delta") continue;
      received.pieces++;
      received.characters += event.data.delta.length;
    }
    await result.completed;
    received.calls += calls - before;
    return result;
  };
}

type AiModel = Exclude<LanguageModel, string>;
type AiStream = Awaited<ReturnType<AiModel["doStream"]>>["stream"];
type AiPart = AiStream extends ReadableStream<infer Part> ? Part : never;

/** A scripted model of `ai`. Its stream gives a part whenever it is asked for one. */
function aiModel(work: Work, pause?: Pause): AiModel {
  const deltas = deltasOf(work);
  const model = {
    specificationVersion: "v4" as const,
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("Only streams are measured.")),
    async doStream({ prompt }: { prompt: readonly { role: string }[] }) {
      const step = prompt.filter(({ role }) => role === "tool").length;
      const isLast = step === work.steps - 1;
      const parts: AiPart[] = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        ...deltas.map((delta): AiPart => ({ type: "text-delta", id: "1", delta })),
        { type: "text-end", id: "1" },
        ...(isLast
          ? []
          : [
              {
                type: "tool-call" as const,
                toolCallId: `call-${step}`,
                toolName: "shout",
                input: JSON.stringify(argumentOf(step)),
              },
            ]),
        {
          type: "finish",
          finishReason: { unified: isLast ? "stop" : "tool-calls", raw: undefined },
          usage: {
            inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 100, text: 100, reasoning: 0 },
          },
        },
      ];
      let next = 0;
      const stream = new ReadableStream<AiPart>({
        async pull(controller) {
          if (pause && next === pause.after + 2) await pause.until;
          const part = parts[next++];
          if (part) controller.enqueue(part);
          else controller.close();
        },
      });
      return { stream };
    },
  };
  return model as unknown as AiModel;
}

/** A run of `ai` at each call of the function. */
export function vercelAi(work: Work, pause?: Pause) {
  let calls = 0;
  const shout = tool({
    description: "Say it loudly.",
    inputSchema: z.object({ text: z.string() }),
    execute(args) {
      calls++;
      return answerTo(args);
    },
  });
  const model = aiModel(work, pause);
  return async (received: Received): Promise<unknown> => {
    const before = calls;
    const result = streamText({
      model,
      tools: { shout },
      stopWhen: isStepCount(work.steps + 1),
      system: "Be brief.",
      prompt: "go",
    });
    for await (const part of result.fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type !== "text-delta") continue;
      received.pieces++;
      received.characters += part.text.length;
    }
    received.calls += calls - before;
    return result;
  };
}
