/**
 * How the functions that take options are called, by the keys of `takers.ts` with the place of the options: the arguments before them,
 * and the options that they need. A text says why the object is none of options.
 */
export const calls: Readonly<Record<string, Call | string>> = {
  "agent createAgent 0": { needs: ({ provider }) => ({ provider }) },
  "agent defineTool 0": { needs: () => definition },
  "agent protocolDriver 0": {},
  "agent RunError 2": "made by the library",
  "agent/auto auto 0": {},
  "agent/history compaction 0": { needs: () => ({ window: 100_000 }) },
  "agent/history undoCompaction 1": "the key of a conversation",
  "agent/native nativeDriver 0": {},
  "agent/react reactDriver 0": {},
  "agent/tool-search toolSearch 0": {},
  "async bounded 1": "called by the library, whose compiler checks it: it is in the path of each call",
  "otel measureAgent 1": { before: ({ agent }) => [agent] },
  "otel measureStore 1": { before: ({ store }) => [store] },
  "otel measureWorker 0": {},
  "otel traceAgent 1": { before: ({ agent }) => [agent] },
  "protocol ParserStream 0": {},
  "protocol createParser 0": {},
  "protocol formatCalls 1": { before: () => [[]] },
  "protocol parse 1": { before: () => [""] },
  "protocol parseSync 1": { before: () => [""] },
  "protocol protocolPrompt 1": { before: () => [[]] },
  "protocol/options checkOption 3": "a kind, which this library makes",
  "protocol/options listOf 0": "a kind, which this library makes",
  "protocol/options recordOf 0": "a kind, which this library makes",
  "protocol/options required 0": "a kind, which this library makes",
  "provider ProviderError 2": "details of an error: a provider must not fail while it tells of a failure",
  "provider costOf 0": "counts of tokens",
  "provider costOf 1": "a price",
  "provider estimateUsage 0": "a request",
  "provider generate 0": "a provider",
  "provider generate 1": "a request",
  "provider generate 2": "the options of `stream`, which each provider has of its own",
  "provider rotateKeys 2": { before: ({ provider }) => [["k"], () => provider] },
  "provider scripted 1": { before: () => [[]] },
  "provider withRetry 0": "a provider",
  "provider withRetry 1": { before: ({ provider }) => [provider] },
  "provider/http completeLimits 0": {},
  "provider/http completeTimeouts 0": {},
  "provider/http createFetch 0": {},
  "provider/http keyAdvice 0": "what `keysFor` found",
  "provider/http keysFor 0": "called by providers, whose compiler checks it",
  "provider/http readEvents 1": "called by providers, whose compiler checks it",
  "provider/http requireEncryption 1": "called by providers, whose compiler checks it",
  "provider/http statusError 0": "details of an error: a provider must not fail while it tells of a failure",
  "provider/http toProviderError 1": "details of an error: a provider must not fail while it tells of a failure",
  "provider/testkit inPieces 1": "called by tests of providers, whose compiler checks it",
  "provider/testkit replayFetch 1": "called by tests of providers, whose compiler checks it",
  "provider-anthropic anthropic 0": { needs: () => key },
  "provider-anthropic default 0": { needs: () => key },
  "provider-google default 0": { needs: () => key },
  "provider-google google 0": { needs: () => key },
  "provider-offline default 0": {},
  "provider-offline offline 0": {},
  "provider-openai default 0": { needs: () => key },
  "provider-openai openai 0": { needs: () => key },
};

/** What calls are made with. */
export interface Things {
  provider: unknown;
  agent: unknown;
  store: unknown;
}

export interface Call {
  /** The arguments before the options. Defaults to none. */
  before?(things: Things): readonly unknown[];
  /** The options that must be given. Defaults to none. */
  needs?(things: Things): Readonly<Record<string, unknown>>;
}

const key = { apiKey: "k" };

const definition = { name: "read", description: "Read.", input: { type: "object" }, execute: () => "" };
