import { isProviderError, type ProviderErrorCode } from "@cogency/provider";

/**
 * Whether a provider has refused a request because it has more tokens than the model takes. No wire has one code for that, so the words
 * of the servers count, as `ProviderError.message` quotes them: those that are known, and else a refusal that sets a number of tokens
 * against a limit.
 */
export function isContextTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  if (known.some((words) => words.test(message))) return true;
  if (isProviderError(error) && elsewhere.has(error.code)) return false;
  return countOfTokens.test(message) && comparison.test(message) && !otherLimit.test(message);
}

/** Words that say it wherever they stand, with the servers that use them. `overflow.test.ts` quotes each whole. */
const known: readonly RegExp[] = [
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM, SGLang, Together, Mistral
  /maximum context length/i,
  // OpenAI Responses, llama.cpp, Ollama, MiniMax, Vercel's gateway
  /exceed(s|ed)? (the |this model's )?(model'?s? |available |maximum |max )?context (window|size|length|limit)/i,
  /context[ _](window|size|length|limit)( has been| is)?[ _]exceed(s|ed)/i,
  // Anthropic, llama.cpp, Ollama, TGI
  /prompt is too long|prompt too long|prompt too large|prompt exceeds the (length|token) limit/i,
  // Anthropic, of an answer that filled the window
  /model_context_window_exceeded/,
  // Bedrock, Cohere, Databricks
  /(input|prompt|request|conversation) (is )?too (long|large) for (the )?(requested )?model|input is too long|too many (input )?tokens/i,
  // Gemini
  /input token count .*exceeds/i,
  // xAI, Groq, Cerebras
  /maximum prompt length|reduce the length of the (messages|input|prompt)/i,
  // LM Studio, vLLM
  /context the overflows|context overflows|context length (of|is) only \d+|greater than the context length/i,
  // Moonshot
  /exceeded model token limit/i,
];

/** Failures that are never about the length of the request. */
const elsewhere: ReadonlySet<ProviderErrorCode> = new Set([
  "authentication",
  "permission",
  "missing_key",
  "not_found",
  "rate_limit",
  "overloaded",
  "connection",
  "timeout",
  "cut_stream",
  "insecure",
]);

/** A number of tokens, in either order. */
const countOfTokens = /\d[\d,._]* ([\w-]+ ){0,3}tokens?\b|\btokens?\b[^.\d]{0,30}\d/i;

/** Says that one number is more than another. */
const comparison =
  /exceed|over(flow|\s|$)|too (long|large|many|big)|larger|longer|greater|more than|beyond|at most|maximum|limit|only|>|\d\s*\/\s*\d/i;

/** Other limits that are counted in tokens: those of a minute or a day, and of the answer. */
const otherLimit =
  /per (minute|min|hour|day)|\bTP[MD]\b|rate limit|quota|(output|completion) tokens|max_(output_|completion_)?tokens|thinking|budget_tokens/i;
