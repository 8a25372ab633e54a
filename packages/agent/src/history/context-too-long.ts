/**
 * Whether a provider has refused a request because it has more tokens than the model takes. No wire has one code for that, so the words
 * of the servers count, as `ProviderError.message` quotes them.
 */
export function isContextTooLong(error: unknown): boolean {
  return error instanceof Error && patterns.some((pattern) => pattern.test(error.message));
}

const patterns: readonly RegExp[] = [
  // OpenAI, and servers that speak its wires: "This model's maximum context length is 8192 tokens. However, …"
  /maximum context length/i,
  // OpenAI Responses: "Your input exceeds the context window of this model."
  /exceeds? (the |this model's )?(available |maximum )?context (window|size|length)/i,
  /context_length_exceeded/,
  // Anthropic: "prompt is too long: 208310 tokens > 200000 maximum"; with output: "input length and `max_tokens` exceed context limit"
  /prompt is too long/i,
  /exceeds? (the )?context limit/i,
  // Bedrock: "Input is too long for requested model."
  /input is too long/i,
  // Gemini: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
  /input token count .*exceeds/i,
  // Mistral: "Prompt contains 40000 tokens …, too large for model with 32768 maximum context length"
  /too large for model with \d+ maximum/i,
  // xAI, Groq: "This model's maximum prompt length is 131072 …", "Please reduce the length of the messages …"
  /maximum prompt length/i,
  /reduce the length of the messages/i,
];
