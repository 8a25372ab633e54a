import type { ModelReply, ReplyPart, Wire } from "@cogency/provider/testkit";

/** The Gemini API's `streamGenerateContent?alt=sse`, as its documentation describes it. */
export const wire: Wire = {
  answer({ parts, usage, finish }: ModelReply): string[] {
    const { input, cacheRead, output, reasoning } = usage;
    const prompt = { promptTokenCount: input + cacheRead };
    const usageMetadata = {
      ...prompt,
      candidatesTokenCount: output - reasoning,
      totalTokenCount: input + cacheRead + output,
      ...(cacheRead > 0 ? { cachedContentTokenCount: cacheRead } : {}),
      ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    };
    const totals = { ...prompt, totalTokenCount: input + cacheRead };
    return [
      ...parts.map((part) => frame({ ...chunk([toWirePart(part)]), usageMetadata: totals })),
      frame({ ...chunk([{ text: "" }], finishReasons[finish]), usageMetadata }),
    ];
  },
  failure: (message) => frame({ error: { code: 503, message, status: "UNAVAILABLE" } }),
  refusal: (status, message) =>
    JSON.stringify({ error: { code: status, message, status: words[status] ?? "UNKNOWN" } }),
};

/** One event of the stream. */
export function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}

/** A chunk of the only candidate. */
export function chunk(parts: readonly object[], finishReason?: string): object {
  const finish = finishReason === undefined ? {} : { finishReason };
  return { candidates: [{ content: { parts, role: "model" }, ...finish, index: 0 }], modelVersion: "gemini-3.8-flash" };
}

const finishReasons: Record<ModelReply["finish"], string> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  tool_calls: "STOP",
  content_filter: "SAFETY",
  aborted: "OTHER",
  other: "SOMETHING_NEW",
};

const words: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function toWirePart(part: ReplyPart): object {
  const thoughtSignature = "signature" in part && part.signature ? { thoughtSignature: part.signature } : {};
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "reasoning":
      return { text: part.text, thought: true, ...thoughtSignature };
    case "call": {
      const { id, name, pieces } = part;
      return { functionCall: { id, name, args: JSON.parse(pieces.join("") || "{}") }, ...thoughtSignature };
    }
  }
}
