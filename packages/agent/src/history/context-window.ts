import type { LogEvent } from "@cogency/protocol";

/** The window of a model, as a refusal said or suggested. */
// A type, so that it is JSON.
export type LearnedWindow = {
  readonly tokens: number;
  readonly model: string;
};

/**
 * The window that a refusal of a request suggests: the limit that it names, else a little less than what was refused.
 *
 * @param tokens those of the refused request, as the runtime counts them
 */
export function windowAfterRefusal(refusal: unknown, tokens: number): number {
  const named = refusal instanceof Error ? limitNamedIn(refusal.message) : undefined;
  return Math.max(least, named ?? Math.floor(tokens * 0.9));
}

/** No model that an agent works with has less. */
const least = 1000;
/** No model has nearly as much: a server that says more means something else. */
const most = 1_000_000_000;

/** The limit in the words of a server that refuses a request as too long; undefined if it names none. */
export function limitNamedIn(message: string): number | undefined {
  // MiniMax puts the number of an error into the words of a limit.
  if (!/token|length/i.test(message)) return undefined;
  for (const words of limits) {
    const limit = Number(words.exec(message)?.[1]?.replace(/[,._]/g, ""));
    if (limit >= least && limit <= most) return limit;
  }
  return undefined;
}

const number = String.raw`(\d[\d,._]*\d)`;

/** The most telling words first. `context-window.test.ts` quotes the servers. */
const limits: readonly RegExp[] = [
  // Anthropic: "208310 tokens > 200000 maximum", "190000 + 20000 > 200000"
  new RegExp(`> ${number}`, "i"),
  // OpenAI, vLLM, xAI: "maximum context length is 8192 tokens", "maximum prompt length is 131072"
  new RegExp(
    String.raw`(?:context|prompt) (?:length|window|size|limit)(?: of the model)?(?: is| of|:| =)?(?: only)? \(?${number}`,
    "i",
  ),
  // Mistral: "32768 maximum context length"
  new RegExp(`${number} maximum context length`, "i"),
  // Gemini: "maximum number of tokens allowed (1048576)"; Moonshot: "token limit: 131072"; Cohere, vLLM: "limit of 128000"
  new RegExp(String.raw`(?:limit|maximum|max|allowed)(?: of| is|:)?[^\d]{0,30}?${number}`, "i"),
  // TGI: "must have less than 4096 tokens"
  new RegExp(`(?:less than|at most|up to|larger than|longer than|greater than|more than|over) ${number}`, "i"),
];

/** The window of a model that an earlier refusal in the conversation has told; it stands in the record of the summary that followed. */
export function rememberedWindow(log: readonly LogEvent[], model: string): number | undefined {
  for (const event of log.toReversed()) {
    if (event.type !== "record" || event.kind !== "summary") continue;
    // A log from elsewhere may hold anything.
    const { window } = (event.data ?? {}) as { window?: Partial<LearnedWindow> | null };
    if (typeof window?.tokens === "number" && window.tokens >= least && window.model === model) return window.tokens;
  }
  return undefined;
}
