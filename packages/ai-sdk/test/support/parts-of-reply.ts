import type { LanguageModelV2StreamPart, LanguageModelV3StreamPart, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { FinishReason, Usage } from "@cogency/protocol";
import type { ModelReply, ReplyPart } from "@cogency/provider/testkit";

/** The stream parts by which a model of specification v4 or v3 says a reply. */
export function partsOfReply({
  parts,
  usage,
  finish,
}: ModelReply): (LanguageModelV4StreamPart & LanguageModelV3StreamPart)[] {
  return [
    { type: "stream-start", warnings: [] },
    ...parts.flatMap(blockOf),
    { type: "finish", finishReason: { unified: words[finish], raw: `raw-${finish}` }, usage: nestedUsage(usage) },
  ];
}

/** The same for specification v2. */
export function oldPartsOfReply({ parts, usage, finish }: ModelReply): LanguageModelV2StreamPart[] {
  return [
    { type: "stream-start", warnings: [] },
    ...parts.flatMap(blockOf),
    {
      type: "finish",
      finishReason: words[finish],
      usage: flatUsage(usage),
      // As the models of `@ai-sdk/anthropic` 2 tell it: the cached tokens are no part of the input.
      providerMetadata: { anthropic: { cacheCreationInputTokens: usage.cacheWrite } },
    },
  ];
}

const words = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  content_filter: "content-filter",
  aborted: "other",
  other: "other",
} as const satisfies Record<FinishReason, string>;

function nestedUsage({ input, output, cacheRead, cacheWrite, reasoning }: Usage) {
  return {
    inputTokens: { total: input + cacheRead + cacheWrite, noCache: input, cacheRead, cacheWrite },
    outputTokens: { total: output, text: output - reasoning, reasoning },
  };
}

function flatUsage({ input, output, cacheRead, reasoning }: Usage) {
  const totalTokens = input + output;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens,
    reasoningTokens: reasoning,
    cachedInputTokens: cacheRead,
  };
}

type SharedPart = Extract<LanguageModelV2StreamPart, LanguageModelV3StreamPart & LanguageModelV4StreamPart>;

/** Each part of a reply is a block of its own. */
function blockOf(part: ReplyPart, index: number): SharedPart[] {
  if (part.type === "call") {
    const { id, name, pieces } = part;
    return [
      { type: "tool-input-start", id, toolName: name },
      ...pieces.map((delta) => ({ type: "tool-input-delta", id, delta }) as const),
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: name, input: pieces.join("") },
    ];
  }
  const id = `block-${index}`;
  const kind = part.type;
  return [
    { type: `${kind}-start`, id },
    { type: `${kind}-delta`, id, delta: part.text },
    { type: `${kind}-end`, id },
  ];
}
