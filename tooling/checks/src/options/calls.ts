/** Why an object is none of options, or its names are not checked. */
const ofError = "details of an error: what fails must not fail again while it tells why";
const inner = "for packages that are written in TypeScript, whose compiler checks it";
const ofTests = "for the tests of a package, whose compiler checks it";
const aKind = "a kind, which this library makes";

const key = { apiKey: "k" };
const database = { url: "postgres://127.0.0.1:1/none" };
const definition = { name: "read", description: "Read.", input: { type: "object" }, execute: () => "" };

/**
 * How the functions that take options are called, by the keys of `takers.ts` with the place of the options: the arguments before them,
 * and the options that they need. A text says why the object is none of options.
 */
export const calls: Readonly<Record<string, Call | string>> = {
  "agent createAgent 0": { needs: ({ provider }) => ({ provider }) },
  "agent defineTool 0": { needs: () => definition },
  "agent protocolDriver 0": {},
  "agent RunError 2": ofError,
  "agent/child parentRun 0": inner,
  "agent/auto auto 0": {},
  "agent/history compactNow 1": "the key of a conversation",
  "agent/history compactNow 2": {
    before: ({ store }) => [store, { conversation: "c" }],
    needs: ({ provider }) => ({ provider }),
  },
  "agent/history compaction 0": { needs: () => ({ window: 100_000 }) },
  "agent/history slidingWindow 0": { needs: () => ({ rounds: 4 }) },
  "agent/history undoCompaction 1": "the key of a conversation",
  "agent/native nativeDriver 0": {},
  "agent/react reactDriver 0": {},
  "agent/tool-search toolSearch 0": {},
  "async bounded 1": inner,
  "dispatch-graphile graphileDispatcher 0": { needs: () => database },
  "dispatch-pg-boss pgBossDispatcher 0": { needs: () => database },
  "dispatch-redis redisDispatcher 0": { needs: () => ({ url: "redis://127.0.0.1:1" }) },
  "extensions defineExtension 0": "the schema of options, which a library makes",
  "extensions openExtension 0": "what a module exports",
  "extensions openExtension 1": { before: () => [{}] },
  "otel measureAgent 1": { before: ({ agent }) => [agent] },
  "otel measureStore 1": { before: ({ store }) => [store] },
  "otel measureWorker 0": {},
  "otel traceAgent 1": { before: ({ agent }) => [agent] },
  "page/node contentPolicy 0": inner,
  "plan planMode 0": { needs: () => ({ isOn: () => false, onAccepted: () => {} }) },
  "plan/log changedSteps 0": "a plan",
  "plan/log changedSteps 1": "a plan",
  "protocol ParserStream 0": {},
  "protocol createParser 0": {},
  "protocol formatCalls 1": { before: () => [[]] },
  "protocol parse 1": { before: () => [""] },
  "protocol parseSync 1": { before: () => [""] },
  "protocol protocolPrompt 1": { before: () => [[]] },
  "protocol/host readModelJson 1": { before: () => ["{}"] },
  "protocol/options checkOption 3": aKind,
  "protocol/options listOf 0": aKind,
  "protocol/options recordOf 0": aKind,
  "protocol/options required 0": aKind,
  "protocol/parts reduceParts 1": "an event",
  "provider ProviderError 2": ofError,
  "provider attachmentsOf 0": "a message",
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
  "provider/http httpEndpoint 0": inner,
  "provider/http keyAdvice 0": "what `keysFor` has found",
  "provider/http keysFor 0": inner,
  "provider/http readEvents 1": inner,
  "provider/http replayNative 0": "a message of the conversation",
  "provider/http requireEncryption 1": inner,
  "provider/http statusError 0": ofError,
  "provider/http toProviderError 1": ofError,
  "provider/http wireStream 1": inner,
  "provider/testkit inPieces 1": ofTests,
  "provider/testkit replayFetch 1": ofTests,
  "provider-anthropic anthropic 0": { needs: () => key },
  "provider-anthropic default 0": { needs: () => key },
  "provider-google default 0": { needs: () => key },
  "provider-google google 0": { needs: () => key },
  "provider-offline default 0": {},
  "provider-offline offline 0": {},
  "provider-openai default 0": { needs: () => key },
  "provider-openai openai 0": { needs: () => key },
  "server Problem 2": ofError,
  "server createHandler 0": { needs: ({ agent, store }) => ({ agent, store, authenticate: () => undefined }) },
  "storage/adapter claimLimits 0": inner,
  "storage/adapter followLog 1": inner,
  "storage/adapter loadCount 0": inner,
  "hook-programs hookPrograms 1": { before: () => [[]] },
  "hook-programs tryHook 0": "a program to run",
  "hook-programs tryHook 1": "how a program is run",
  "toolbox/shell hostCommands 1": { before: ({ root }) => [root] },
  "skills skills 1": { before: () => [[]] },
  "skills/front-matter parseFrontMatter 1": { before: () => [""], needs: () => ({ kind: "note", fields: {} }) },
  "skills/front-matter textField 0": { needs: () => ({ most: 10 }) },
  "skills/node readCommands 1": { before: () => [[]] },
  "skills/node readSkill 1": { before: () => ["no-such-folder"] },
  "skills/node readSkills 1": { before: () => [[]] },
  "subagents subagents 1": { before: () => [[]] },
  "subagents/definition parseAgent 1": { before: () => [""] },
  "subagents/node readAgent 1": { before: () => ["no-such-file.md"] },
  "subagents/node readAgents 1": { before: () => [[]] },
  "skills/node readTexts 2": { before: () => [[], { kind: "note", parse: () => ({ problems: [] }) }] },
  "storage memoryStore 0": {},
  "storage/adapter messageText 0": "a message",
  "storage/adapter passagesOf 0": "an event",
  "storage redactEvent 0": "an event",
  "storage/adapter searchTokens 0": "an event",
  "storage-postgres postgresStore 0": { needs: () => database },
  "storage-postgres schemaScript 0": {},
  "storage-sqlite sqliteStore 0": { needs: () => ({ path: ":memory:" }) },
  "toolbox/shell ShellError 3": ofError,
  "toolbox/web WebError 3": ofError,
  "toolbox/web braveSearch 0": { needs: () => key },
  "toolbox/web createWebClient 0": {},
  "toolbox/files editTool 1": { before: ({ root }) => [root] },
  "toolbox openRoot 1": { before: () => ["."] },
  "toolbox recallTool 0": { needs: ({ store }) => ({ store }) },
  "toolbox/files replaceTool 1": { before: ({ root }) => [root] },
  "toolbox/web scrapeTool 0": { except: ["get"] },
  "toolbox/web searxngSearch 0": { needs: () => ({ url: "https://example.org" }) },
  "toolbox/shell shellRule 1": { before: () => [["ls"]] },
  "toolbox/shell shellTool 1": { before: ({ root }) => [root] },
  "toolbox/web tavilySearch 0": { needs: () => key },
  "toolbox toolbox 0": { needs: () => ({ root: "." }) },
  "toolbox/files treeDiff 1": { before: ({ root }) => [root] },
  "toolbox/files writeTool 1": { before: ({ root }) => [root] },
  "toolbox/shell openJobs 0": {},
  "toolbox/shell openKeptOutput 0": {},
  "toolbox/undo openUndo 0": { needs: () => ({ folder: "undo" }) },
  "tools/host answerStatement 0": "who owns a question",
  "tools/host attachmentBytes 0": "an attachment",
  "tools/host checkedAttachments 1": inner,
  "tools createExecutor 0": { needs: ({ registry }) => ({ registry }) },
  "tools defineTool 0": { needs: () => definition },
  "tools/host isForcedStop 0": "why a run ended",
  "tools readResultTool 0": {},
  "tools toToolResult 0": "how a call ended",
  "tools/host wholeResult 0": "how a call ended",
  "worker createWorker 0": { needs: ({ agent, store }) => ({ agent, store }) },
  "worker limitedProvider 0": "a provider",
  "worker limitedProvider 1": {
    before: ({ provider }) => [provider],
    needs: ({ store }) => ({ store, name: "n", limit: 1 }),
  },
  "worker storeDispatcher 1": { before: ({ store }) => [store] },
  "worker wakingStore 2": { before: ({ store }) => [store, { wake() {} }] },
};

/** What calls are made with. */
export interface Things {
  provider: unknown;
  agent: unknown;
  store: unknown;
  registry: unknown;
  root: unknown;
}

export interface Call {
  /** The arguments before the options. Defaults to none. */
  before?(things: Things): readonly unknown[];
  /** The options that must be given. Defaults to none. */
  needs?(things: Things): Readonly<Record<string, unknown>>;
  /** Names of another object that may be given in the place of options. Defaults to none. */
  except?: readonly string[];
}
