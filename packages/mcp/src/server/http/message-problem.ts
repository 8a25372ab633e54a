/** What is wrong with a message, before anything reads it. */
export interface MessageProblem {
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly message: string;
}

export interface MessageBounds {
  readonly batch: number;
  readonly depth: number;
}

/** Whether a message of a client is too deep, is too long a batch, or has an id twice. */
export function messageProblem(message: unknown, { batch, depth }: MessageBounds): MessageProblem | undefined {
  if (isDeeper(message, depth)) return refused(400, `The JSON is nested deeper than ${depth} levels.`);
  if (!Array.isArray(message)) return undefined;
  if (message.length === 0) return refused(400, "The batch is empty.");
  if (message.length > batch) return refused(400, `The batch has ${message.length} messages; ${batch} are the most.`);
  const ids = message.filter((one) => isRequest(one)).map((one) => idKey(one.id));
  return new Set(ids).size < ids.length ? refused(400, "Two requests of the batch have the same id.") : undefined;
}

export function refused(status: number, message: string, code = -32600): MessageProblem {
  return { status, code, message };
}

export function isRequest(message: unknown): message is { id: string | number; method: string } {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return typeof method === "string" && (typeof id === "string" || typeof id === "number");
}

/** `1` and `"1"` are different ids. */
export function idKey(id: unknown): string {
  return JSON.stringify(id);
}

/** Walks by levels: a message may be nested deeper than calls can be. */
function isDeeper(message: unknown, depth: number): boolean {
  let level: unknown[] = [message];
  for (let deep = 0; level.length > 0; deep++) {
    if (deep > depth) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
