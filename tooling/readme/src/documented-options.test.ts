import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type KeysOf, keysIn } from "./keys-of.ts";
import { keysFor, type OptionTable, optionsIn, unnamedTables } from "./option-tables.ts";

const packages = new URL("../../../packages/", import.meta.url);

const agent = "src/agent-options.ts";
const storeMethods = {
  append: "AppendOptions",
  load: "LoadOptions",
  conversations: "ConversationsOptions",
  search: "SearchOptions",
  follow: "FollowOptions",
  lease: "LeaseOptions",
  saveProfile: "SaveProfileOptions",
};

/** The tables of each document, by its package and its path there. */
const tables: Readonly<Record<string, Readonly<Record<string, readonly OptionTable[]>>>> = {
  acp: { "README.md": [{ under: "createAcp(options)", type: "AcpOptions", from: "src/acp-options.ts" }] },
  "ag-ui": {
    "README.md": [{ under: "createAgUiHandler(options)", type: "AgUiOptions", from: "src/ag-ui-options.ts" }],
  },
  agent: {
    "README.md": [
      { under: "An agent", type: "AgentOptions", from: agent },
      { under: "A run", type: "RunOptions", from: agent },
      { under: "Recover", type: "RecoverOptions", from: agent, beyond: "RunOptions" },
    ],
    "docs/attachments.md": [{ under: "Attachments", type: "AttachmentOptions", from: agent }],
    "docs/budgets.md": [{ under: "Budgets", type: "Budget", from: agent }],
    "docs/drivers.md": [
      { under: "`auto`", type: "AutoOptions", from: "src/drivers/auto.ts" },
      { under: "`protocolDriver`", type: "ProtocolDriverOptions", from: "src/drivers/protocol-driver.ts" },
      { under: "`nativeDriver`", type: "NativeDriverOptions", from: "src/drivers/native-driver.ts" },
      { under: "`reactDriver`", type: "ReactDriverOptions", from: "src/drivers/react-driver.ts" },
    ],
    "docs/history.md": [
      { under: "`compaction`", type: "CompactionOptions", from: "src/history/compaction-settings.ts" },
      { under: "`agent.fork`", type: "ForkOptions", from: "src/fork.ts" },
    ],
    "docs/leases.md": [{ under: "One writer", type: "AgentLeaseOptions", from: agent }],
    "docs/tool-search.md": [{ under: "Many tools", type: "ToolSearchOptions", from: "src/search/tool-search.ts" }],
    "docs/waiting.md": [
      { under: "`agent.send`", type: "SendOptions", from: "src/inbox/send.ts" },
      { under: "`agent.sweep`", type: "SweepOptions", from: "src/inbox/sweep.ts" },
    ],
  },
  client: {
    "README.md": [{ under: "A client", type: "ClientOptions", from: "src/client-options.ts" }],
  },
  "dispatch-graphile": {
    "README.md": [
      { under: "@cogency/dispatch-graphile", type: "GraphileDispatcherOptions", from: "src/graphile-dispatcher.ts" },
    ],
  },
  "dispatch-pg-boss": {
    "README.md": [
      { under: "@cogency/dispatch-pg-boss", type: "PgBossDispatcherOptions", from: "src/pg-boss-dispatcher.ts" },
    ],
  },
  "dispatch-redis": {
    "README.md": [
      { under: "@cogency/dispatch-redis", type: "RedisDispatcherOptions", from: "src/redis-dispatcher.ts" },
    ],
  },
  "ai-sdk": { "README.md": [{ under: "Options", type: "AiSdkOptions", from: "src/options.ts" }] },
  memory: {
    "README.md": [{ under: "`memory(options)`", type: "MemoryOptions", from: "src/memory.ts" }],
  },
  mcp: {
    "README.md": [
      { under: "`mcp(options)`", type: "McpOptions", from: "src/client/mcp-options.ts" },
      { under: "Each server", type: "McpServerOptions", from: "src/client/mcp-options.ts" },
    ],
    "docs/asking.md": [{ under: "Questions to the model", type: "SamplingOptions", from: "src/client/mcp-options.ts" }],
    "docs/login.md": [
      { under: "`oauth(options)`", type: "OAuthOptions", from: "src/client/auth/oauth-options.ts" },
      { under: "The program", type: "OAuthClient", from: "src/client/auth/oauth-options.ts" },
      {
        under: "Without a person",
        type: "ClientCredentialsOptions",
        from: "src/client/auth/client-credentials.ts",
      },
      { under: "The way back from a browser", type: "LoopbackOptions", from: "src/node/loopback.ts" },
    ],
    "docs/server.md": [
      { under: "Options", type: "McpOffer", from: "src/server/offer.ts" },
      { under: "Limits", type: "McpServerLimits", from: "src/server/offer.ts" },
    ],
  },
  plan: { "README.md": [{ under: "The mode", type: "PlanModeOptions", from: "src/plan-mode.ts" }] },
  protocol: {
    "docs/reading.md": [{ under: "`createParser(options?)`", type: "ParserOptions", from: "src/parse/parser.ts" }],
  },
  "provider-anthropic": {
    "README.md": [{ under: "Options", type: "AnthropicOptions", from: "src/options.ts" }],
  },
  "provider-google": { "README.md": [{ under: "Options", type: "GoogleOptions", from: "src/options.ts" }] },
  "provider-llama": { "README.md": [{ under: "Options", type: "LlamaOptions", from: "src/options.ts" }] },
  "provider-offline": { "README.md": [{ under: "Options", type: "OfflineOptions", from: "src/options.ts" }] },
  "provider-openai": { "README.md": [{ under: "Options", type: "OpenAIOptions", from: "src/options.ts" }] },
  rerun: {
    "README.md": [{ under: "Compare", type: "CompareOptions", from: "src/compare/compare-options.ts" }],
  },
  server: {
    "docs/bridges.md": [
      { under: "`createBridge(name, options)`", type: "BridgeOptions", from: "src/bridge/bridge.ts" },
    ],
    "docs/openai.md": [
      { under: "Options", type: "OpenAIHandlerOptions", from: "src/openai/openai-handler-options.ts" },
    ],
  },
  storage: {
    "README.md": Object.entries(storeMethods).map(([of, type]) => ({
      under: "Options",
      of,
      type,
      from: "src/store.ts",
    })),
  },
  "storage-postgres": {
    "README.md": [
      { under: "Options", type: "PostgresStoreOptions", from: "src/postgres-store.ts" },
      { under: "A role without rights", type: "SchemaScriptOptions", from: "src/schema/schema-script.ts" },
    ],
  },
  "storage-sqlite": {
    "README.md": [{ under: "@cogency/storage-sqlite", type: "SqliteStoreOptions", from: "src/sqlite-store.ts" }],
  },
  toolbox: {
    "README.md": [{ under: "The toolbox", type: "ToolboxOptions", from: "src/toolbox-options.ts" }],
    "docs/shell.md": [
      { under: "Options", type: "ShellOptions", from: "src/shell/shell-options.ts" },
      { under: "The whole output", type: "KeptOutputOptions", from: "src/shell/kept-output/kept-output.ts" },
      { under: "Rules: which commands need no question", type: "ShellRuleOptions", from: "src/shell/shell-rule.ts" },
    ],
    "docs/undo.md": [{ under: "Options", type: "UndoOptions", from: "src/undo/undo-options.ts" }],
    "docs/web.md": [
      { under: "search", type: "BraveSearchOptions", from: "src/web/search/brave-search.ts" },
      { under: "The web client", type: "WebOptions", from: "src/web/web-client.ts" },
    ],
  },
  tools: {
    "README.md": [
      { under: "Defining a tool", type: "ToolDefinition", from: "src/define-tool.ts" },
      { under: "The context of a body", type: "ToolContext", from: "src/tool.ts" },
      { under: "Running calls", type: "ExecutorOptions", from: "src/executor-options.ts" },
    ],
    "docs/approval.md": [{ under: "Rules", type: "Approval", from: "src/approval/approval.ts" }],
    "docs/running-calls.md": [
      { under: "Options of a batch", type: "BatchOptions", from: "src/executor.ts" },
      { under: "The context of a batch", type: "BatchContext", from: "src/executor.ts" },
    ],
  },
};

const read = (path: string) => readFileSync(new URL(path, packages), "utf8");
const rows = Object.entries(tables).flatMap(([name, documents]) =>
  Object.entries(documents).flatMap(([path, some]) =>
    some.map((table) => ({ ...table, path: `${name}/${path}`, home: new URL(`${name}/`, packages) })),
  ),
);

describe("the options that the documents of the packages tell", () => {
  it("stand in tables that are compared with a type", () => {
    const documents = globSync("*/{README.md,docs/*.md}", { cwd: packages }).map((path) => path.replaceAll("\\", "/"));
    const named = (path: string) => rows.filter((row) => row.path === path);
    expect(documents.flatMap((path) => unnamedTables(path, read(path), named(path)))).toEqual([]);
  });

  let keysOf: KeysOf | undefined;
  it.each(rows)("$path, under $under: the keys of $type", (row) => {
    keysOf ??= keysIn(rows.map(({ from, home }) => new URL(from, home)));
    expect(optionsIn(read(row.path), row)).toEqual(keysFor(row, row.home, keysOf));
  });
});
