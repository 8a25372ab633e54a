/**
 * What to write instead of an option that other agent libraries have. Undefined for other names.
 *
 * @returns code that is valid as it stands, with `agent`, `provider` and the makers that it names in scope
 */
export function insteadOf(option: string): string | undefined {
  return foreignOptions.find(([names]) => names.split(" ").includes(option))?.[1];
}

/** Names as other libraries spell them, separated by spaces, and the code that does the same here. */
export const foreignOptions: readonly (readonly [names: string, instead: string])[] = [
  ["system systemPrompt system_prompt systemMessage", 'createAgent({ instructions: "Be brief." })'],
  ["name role persona", 'createAgent({ identity: "You are Ada." })'],
  ["model llm modelId modelName languageModel", 'createAgent({ provider: openai({ model: "gpt-5.5" }) })'],
  ["apiKey api_key", 'createAgent({ provider: openai({ apiKey: "…" }) })'],
  ["baseURL baseUrl base_url", 'createAgent({ provider: openai({ baseURL: "http://localhost:11434/v1" }) })'],
  ["maxRetries retries", "createAgent({ provider: withRetry(provider, { attempts: 3 }) })"],
  ["maxSteps maxTurns max_turns maxIterations recursionLimit stopWhen", "createAgent({ budget: { steps: 20 } })"],
  [
    "maxTokens max_tokens maxCompletionTokens max_completion_tokens max_output_tokens",
    "createAgent({ request: { maxOutputTokens: 4096 } })",
  ],
  ["stopSequences stop_sequences", 'createAgent({ request: { stop: ["###"] } })'],
  [
    "topP top_p topK top_k seed frequencyPenalty presencePenalty modelSettings providerOptions",
    "createAgent({ request: { options: { top_p: 0.9 } } })",
  ],
  [
    "reasoningEffort reasoning_effort reasoning thinking thinkingConfig",
    'createAgent({ request: { thinking: "high" } })',
  ],
  ["memory checkpointer", 'createAgent({ store: await sqliteStore({ path: "agent.db" }) })'],
  ["middleware guardrails inputGuardrails outputGuardrails", "createAgent({ hooks: [] })"],
  [
    "needsApproval canUseTool interruptOn",
    "createAgent({ execution: { approval: { approve: async (request) => false } } })",
  ],
  ["messages", 'agent.run("And in winter?", { conversation: "trip" }) // the store holds the earlier messages'],
  ["prompt input", 'agent.run("Capital of France?")'],
  [
    "sessionId session_id session threadId thread_id thread conversationId chatId configurable",
    'agent.run("And in winter?", { conversation: "trip" })',
  ],
  ["userId user_id resourceId resource", 'agent.run("Capital of France?", { user: "ada" })'],
  [
    "abortSignal abortController cancellationToken",
    'agent.run("Capital of France?", { signal: AbortSignal.timeout(60_000) })',
  ],
  ["context deps runtimeContext", 'agent.run("Capital of France?", { metadata: { tenant: 7 } })'],
  ["streaming streamMode", 'agent.run("Capital of France?", { stream: "token" })'],
  [
    "onEvent onChunk onToken onText onMessage onStepFinish onFinish onError callbacks",
    'agent.run("Capital of France?", { on: (event) => console.log(event.type) })',
  ],
];
