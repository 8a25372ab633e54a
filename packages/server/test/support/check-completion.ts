type Json = Readonly<Record<string, unknown>>;

interface Chunk {
  id?: unknown;
  object?: unknown;
  created?: unknown;
  model?: unknown;
  choices?: readonly { delta?: Json; finish_reason?: unknown; index?: unknown }[];
  usage?: Readonly<Record<string, number>> | null;
  error?: Json;
}

/**
 * What is wrong with the body of a streamed chat completion: what the clients of OpenAI and of the AI SDK check, and what they miss, such as
 * a missing `[DONE]`, ids that change, and a second finish.
 */
export function problemsOfCompletion(body: string): string[] {
  const datas = dataOf(body);
  const problems: string[] = [];
  if (datas.at(-1) !== "[DONE]") problems.push("the last event is not [DONE]");
  if (datas.filter((data) => data === "[DONE]").length > 1) problems.push("[DONE] comes twice");
  const chunks = datas.flatMap((data) => (data === "[DONE]" ? [] : [chunkOf(data)]));
  if (chunks.includes(undefined)) return [...problems, "an event is no JSON object"];
  return [...problems, ...problemsOfChunks(chunks as Chunk[])];
}

/** The data of each event. Comments and other fields are left out. */
export function dataOf(body: string): string[] {
  return body
    .split("\n\n")
    .flatMap((event) => event.split("\n").flatMap((line) => (line.startsWith("data: ") ? line.slice(6) : [])));
}

function chunkOf(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function problemsOfChunks(chunks: readonly Chunk[]): string[] {
  const problems: string[] = [];
  const failed = chunks.findIndex(({ error }) => error !== undefined);
  if (failed !== -1 && failed !== chunks.length - 1) problems.push("something comes after an error");
  const told = chunks.filter(({ error }) => error === undefined);
  for (const field of ["id", "created", "model", "object"] as const)
    if (new Set(told.map((chunk) => chunk[field])).size > 1) problems.push(`\`${field}\` changes`);
  if (told[0]?.object !== "chat.completion.chunk") problems.push("`object` is wrong");
  if (told[0]?.choices?.[0]?.delta?.role !== "assistant") problems.push("the first delta has no role");
  if (told.slice(1).some(({ choices }) => choices?.[0]?.delta?.role !== undefined)) problems.push("a role comes twice");
  if (told.some(({ choices }) => (choices ?? []).some(({ index }) => index !== 0)))
    problems.push("there is another choice");
  problems.push(...problemsOfDeltas(told), ...(failed === -1 ? problemsOfFinish(told) : []));
  return problems;
}

function problemsOfDeltas(chunks: readonly Chunk[]): string[] {
  const deltas = chunks.slice(1).map(({ choices }): Json => choices?.[0]?.delta ?? {});
  const problems: string[] = [];
  const fields = new Set(["content", "reasoning_content", "tool_calls"]);
  if (deltas.some((delta) => Object.keys(delta).some((name) => !fields.has(name))))
    problems.push("a delta has an unknown field");
  const texts = deltas.flatMap(({ content, reasoning_content }) => [content, reasoning_content]);
  if (texts.includes("")) problems.push("a delta is empty");
  if (texts.some((text) => text !== undefined && typeof text !== "string")) problems.push("a delta is no text");
  return [...problems, ...problemsOfCalls(callsIn(chunks))];
}

function callsIn(chunks: readonly Chunk[]): Json[] {
  return chunks.flatMap(({ choices }) => (choices?.[0]?.delta?.tool_calls ?? []) as Json[]);
}

function problemsOfCalls(calls: readonly Json[]): string[] {
  const problems: string[] = [];
  if (calls.some(({ index }, at) => index !== at)) problems.push("the calls are not counted");
  const ids = calls.map(({ id }) => String(id));
  if (ids.some((id) => !/^[\w-]{1,40}$/.test(id))) problems.push("the id of a call is malformed");
  if (new Set(ids).size < ids.length) problems.push("two calls have one id");
  if (calls.some(({ function: called }) => !isObjectText((called as Json | undefined)?.arguments)))
    problems.push("arguments are no JSON object");
  return problems;
}

export function isObjectText(text: unknown): boolean {
  return typeof text === "string" && chunkOf(text) !== undefined;
}

function problemsOfFinish(chunks: readonly Chunk[]): string[] {
  const problems: string[] = [];
  const finishes = chunks.flatMap(({ choices }, at) => {
    const reason = choices?.[0]?.finish_reason ?? null;
    return reason === null ? [] : [{ reason, at }];
  });
  if (finishes.length !== 1) problems.push(`there are ${finishes.length} finish reasons`);
  const [finish] = finishes;
  const hasCalls = callsIn(chunks).length > 0;
  if (finish && (finish.reason === "tool_calls") !== hasCalls)
    problems.push("the finish reason does not fit the calls");
  if (finish && chunks.slice(finish.at + 1).some(({ choices }) => choices?.length !== 0))
    problems.push("something comes after the finish");
  const usages = chunks.flatMap(({ usage }) => (usage ? [usage] : []));
  if (usages.some((usage) => usage.total_tokens !== (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0)))
    problems.push("the total of the usage is wrong");
  return problems;
}
