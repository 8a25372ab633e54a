/**
 * Finds the option that another library calls by this name.
 *
 * @param valid the names of the options that could be meant
 */
export function synonymOf(name: string, valid: readonly string[]): string | undefined {
  const meant = synonyms.find((names) => names.includes(name));
  return meant?.find((one) => one !== name && valid.includes(one));
}

/** Names of one thing, ours first, then those of other libraries. */
const synonyms: readonly (readonly string[])[] = [
  ["input", "inputSchema", "input_schema", "parameters", "schema", "args", "argsSchema", "params"],
  ["execute", "handler", "run", "func", "fn", "call", "invoke", "callback", "implementation"],
  ["description", "desc", "summary"],
  ["attempts", "retries", "maxRetries", "max_retries", "maxAttempts", "tries"],
  ["path", "file", "filename", "fileName", "database", "db", "dbPath", "location"],
  ["url", "uri", "connectionString", "connection", "dsn", "address", "host"],
  ["baseURL", "endpoint", "host", "apiBase", "api_base", "serverUrl", "url", "origin"],
  ["apiKey", "key", "token", "accessToken", "secret", "authToken"],
  ["prefix", "basePath", "base", "mount", "mountPath"],
  ["concurrency", "parallel", "parallelism", "maxConcurrency", "workers", "poolSize"],
  ["timeout", "timeoutMs", "requestTimeout", "deadline"],
  ["timeouts", "timeout", "timeoutMs", "requestTimeout"],
  ["headers", "defaultHeaders", "extraHeaders", "customHeaders"],
  ["model", "modelId", "modelName", "deployment", "engine"],
  ["signal", "abortSignal", "abortController"],
  ["user", "userId", "resourceId", "owner"],
  ["conversation", "threadId", "sessionId", "conversationId", "chatId", "thread", "session", "id"],
  ["maxOutputTokens", "maxTokens", "max_tokens", "maxCompletionTokens", "max_completion_tokens"],
  ["approve", "onApproval", "canUseTool", "confirm"],
  ["approval", "needsApproval", "requiresApproval"],
  ["root", "cwd", "directory", "dir", "folder", "workspace", "basePath"],
  ["content", "prompt", "text", "message"],
  ["toolChoice", "tool_choice"],
  ["limit", "max", "count", "pageSize", "top"],
];
