import type { FinishReason, RunEvent, Usage } from "@cogency/protocol";
import type { Attributes } from "@opentelemetry/api";

type Event<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** What is known of a request before it is made. Spans and metrics have these. */
export function modelAttributes({ provider, model }: { provider: string; model: string }): Attributes {
  return { "gen_ai.provider.name": providerNames.get(provider) ?? provider, "gen_ai.request.model": model };
}

/** The conventions' words for providers that Cogency calls otherwise. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ["azure", "azure.ai.openai"],
  ["bedrock", "aws.bedrock"],
  ["google", "gcp.gemini"],
  ["mistral", "mistral_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["xai", "x_ai"],
]);

export function requestAttributes(request: Event<"request_started">): Attributes {
  const { stream, json, maxOutputTokens, temperature, stop } = request;
  return {
    ...modelAttributes(request),
    ...(stream && { "gen_ai.request.stream": true }),
    ...(json && { "gen_ai.output.type": "json" }),
    ...(maxOutputTokens !== undefined && { "gen_ai.request.max_tokens": maxOutputTokens }),
    ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
    ...(stop && { "gen_ai.request.stop_sequences": [...stop] }),
  };
}

export function responseAttributes({ usage, finish, first }: Event<"request_ended">, isStreamed: boolean): Attributes {
  return {
    ...(usage && usageAttributes(usage)),
    ...(usage && usage.reasoning > 0 && { "gen_ai.usage.reasoning.output_tokens": usage.reasoning }),
    ...(finish && { "gen_ai.response.finish_reasons": [finishReason(finish)] }),
    ...(isStreamed && first !== undefined && { "gen_ai.response.time_to_first_chunk": first }),
  };
}

export function finishReason(finish: FinishReason | "error"): string {
  return finish === "tool_calls" ? "tool_call" : finish;
}

export function usageAttributes(usage: Usage): Attributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens(usage),
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
    "gen_ai.usage.output_tokens": usage.output,
    ...(usage.estimated && { "cogency.usage.estimated": true }),
  };
}

/** The conventions count cached tokens as input. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** The attributes of a call that has ended; `error.type` is how, unless it succeeded. */
export function outcomeAttributes({ outcome }: Pick<Event<"tool_ended">, "outcome">): Attributes {
  return { "cogency.tool.outcome": outcome, ...(outcome !== "success" && { "error.type": outcome }) };
}

/** The attributes of a run that is over. */
export function endAttributes({ status, stop, error }: Event<"run_ended">): Attributes {
  return {
    "cogency.run.status": status,
    ...(stop && { "cogency.run.stop": stop.reason }),
    ...(error && { "error.type": error.code }),
  };
}
