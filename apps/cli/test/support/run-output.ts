import type { RunResult } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { answerSchema } from "@cogency/tools/host";
import * as z from "zod";
import { jsonLines, type Outcome } from "./command-line.ts";

/** What `--json` prints, of which the published schema is made. The types at the end tie it to those of the packages. */

const json = z.json().meta({ id: "Json" });
const jsonObject = z.record(z.string(), json);
const jsonSchema = z.record(z.string(), z.unknown());
const text = z.string();
const usage = z
  .object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    reasoning: z.number(),
    estimated: z.literal(true).optional(),
  })
  .meta({ id: "Usage" });
const measure = z.object({ ...usage.shape, duration: z.number(), cost: z.number().optional() }).meta({ id: "Measure" });
const finish = z.enum(["stop", "length", "tool_calls", "content_filter", "aborted", "other"]);
const attachment = z
  .object({
    kind: z.enum(["image", "file"]),
    mediaType: text,
    data: z.union([text, z.object({ url: text })]),
    name: text.optional(),
  })
  .meta({ id: "Attachment" });
const attachments = z.array(attachment).optional();
const result = z
  .object({ tool: text, status: z.enum(["success", "failure"]), content: json, attachments })
  .meta({ id: "ToolResult" });
const concern = z.object({ kind: text, why: text });
const called = { id: text, name: text, args: jsonObject };
const status = z.enum(["completed", "stopped", "failed", "waiting"]);
const failure = z.object({ code: text, message: text });

const place = z
  .object({ id: text, conversation: text, user: text.optional(), step: z.int(), order: z.int() })
  .meta({ id: "RunPlace", description: "Which run, conversation and step an event belongs to." });

function event<Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), ...fields, timestamp: z.number(), run: place });
}

const ended = {
  ...called,
  outcome: z.enum(["success", "failure", "blocked", "denied", "cancelled", "skipped"]),
  result,
  duration: z.number(),
};
const attempt = { message: text, attempt: z.int(), maxAttempts: z.int() };

const runEvent = z
  .union([
    event("user", {
      content: text,
      origin: z.enum(["nudge", "notice", "recovery", "untrusted"]).optional(),
      sources: z
        .array(z.object({ source: text, count: z.number(), holds: z.enum(["untrusted", "private"]).optional() }))
        .optional(),
      attachments,
    }),
    event("think", { content: text, unit: z.int().optional() }),
    event("respond", { content: text, unit: z.int().optional() }),
    event("call", { content: text, id: text.optional() }),
    event("call_delta", { index: z.int(), id: text.optional(), name: text.optional(), content: text }),
    event("execute", { repaired: z.literal(true).optional() }),
    event("result", {
      content: text,
      payload: z.object({ tools_executed: z.int(), success_count: z.int(), failure_count: z.int() }),
      ids: z.array(text).optional(),
    }),
    event("end", {}),
    event("metric", { step: measure, total: measure }),
    event("error", { content: text, code: text, position: z.int().optional() }),
    event("interrupt", {}),
    event("cancelled", {}),
    event("run_started", {
      mode: z.enum(["run", "recover"]),
      driver: text,
      provider: text,
      model: text,
      after: z.int().optional(),
      traceparent: text.optional(),
    }),
    event("run_ended", {
      status,
      stop: z.object({ reason: text, message: text, source: text.optional() }).optional(),
      error: failure.optional(),
      usage,
      cost: z.number().optional(),
    }),
    event("step_started", {}),
    event("step_ended", { outcome: z.enum(["answered", "acted", "waiting", "unusable", "interrupted"]) }),
    event("request_started", {
      provider: text,
      model: text,
      tokens: z.number(),
      stream: z.boolean(),
      json: z.literal(true).optional(),
      maxOutputTokens: z.number().optional(),
      temperature: z.number().optional(),
      thinking: text.optional(),
      stop: z.array(text).optional(),
    }),
    event("request_ended", {
      usage: usage.optional(),
      finish: z.union([finish, z.literal("error")]).optional(),
      error: failure.optional(),
      first: z.number().optional(),
      duration: z.number(),
    }),
    event("setting_ignored", { setting: text, message: text }),
    event("request_retried", { attempt: z.int(), delay: z.number(), code: text, message: text }),
    event("extraction_failed", attempt),
    event("validation_failed", attempt),
    event("tool_started", called),
    event("tool_progress", { id: text, name: text, update: json }),
    event("tool_ended", { ...ended, started: z.literal(true) }),
    event("tool_ended", { ...ended, started: z.literal(false) }),
    event("tool_blocked", { id: text, name: text, reason: text }),
    event("args_leaked", { name: text }),
    event("approval_requested", {
      ...called,
      question: text,
      hash: text,
      concerns: z.array(concern),
      touches: z.array(text),
      agents: z.array(text).optional(),
    }),
    event("approval_settled", {
      question: text,
      id: text,
      decision: z.enum(["approved", "denied"]),
      by: text.optional(),
      reason: text.optional(),
      error: text.optional(),
    }),
    event("question_asked", {
      question: text,
      id: text,
      name: text,
      message: text,
      schema: jsonSchema.optional(),
      client: z.literal(true).optional(),
      agents: z.array(text).optional(),
    }),
    event("question_answered", { question: text, id: text, content: json, by: text.optional() }),
    event("question_failed", { question: text, id: text, message: text }),
    event("message_received", {
      id: text,
      kind: text,
      from: text.optional(),
      refused: text.optional(),
      more: z.number().optional(),
    }),
    event("continuation_evaluated", { goesOn: z.boolean(), reason: text }),
    event("stop_requested", { reason: text, message: text, source: text.optional() }),
    event("hook_violation", { hook: text, message: text }),
    event("notified", { content: text }),
    event("compacted", { before: z.number(), after: z.number() }),
    event("subagent", { id: text, event: z.record(z.string(), json) }),
  ])
  .meta({ id: "RunEvent", description: "An event of the run's timeline." });

const runRecord = z
  .object({
    type: z.literal("run"),
    status,
    text,
    object: json.optional(),
    steps: z.int(),
    plan: z
      .object({
        steps: z.array(z.object({ step: text, state: z.enum(["open", "now", "done", "dropped"]) })),
        note: text.optional(),
      })
      .optional(),
    toolErrors: z.int(),
    unknown: z.array(z.object(called)).optional(),
    usage,
    cost: z.number().optional(),
    stop: z.object({ reason: text, message: text, context: jsonObject, source: text.optional() }).optional(),
    waiting: z
      .array(
        z.object({
          ...called,
          question: text,
          asks: z.enum(["approval", "answer"]),
          hash: text,
          concerns: z.array(concern),
          touches: z.array(text),
          message: text.optional(),
          schema: jsonSchema.optional(),
          client: z.literal(true).optional(),
        }),
      )
      .optional(),
    error: z.object({ code: text, cause: text.optional(), message: text }).optional(),
    conversation: text,
    exit: z.int(),
  })
  .meta({ id: "RunRecord", description: "The last line: how the run ended." });

/** The published schema of a line. Objects may have further fields, and a later version further types. */
export function runOutputSchema(): object {
  const line = z.union([runEvent, runRecord]);
  const { $schema, ...schema } = z.toJSONSchema(line, { io: "input" });
  return {
    $schema,
    title: "A line that cogency run --json prints",
    description: "All lines are events of the run, except the last one, which says how the run ended.",
    ...schema,
  };
}

/** Optional fields without `undefined`, and arrays that nobody changes, as the packages have them. */
type Exact<T> = T extends readonly (infer Item)[]
  ? readonly Exact<Item>[]
  : T extends object
    ? { [Key in keyof T]: Exact<Exclude<T[Key], undefined>> }
    : T;

type Named<T extends { type: string }, Type> = Extract<T, { type: Type }>;

/** For each type the fields of an event: those of the schema must be those of the package. */
type FieldsOf<T extends { type: string }> = { [Type in T["type"]]: keyof Named<T, Type> };

type SameEvents = FieldsOf<RunEvent> extends FieldsOf<z.infer<typeof runEvent>> ? true : never;
type NoOthers = FieldsOf<z.infer<typeof runEvent>> extends FieldsOf<RunEvent> ? true : never;

/** An event is a line of the schema, except that the event of a subagent is one itself. */
type IsLine = Exclude<RunEvent, { type: "subagent" }> extends Exact<z.infer<typeof runEvent>> ? true : never;
type OfResult = Omit<z.infer<typeof runRecord>, "type" | "error" | "object" | "plan" | "conversation" | "exit">;
type Given<T> = { [Key in keyof T]-?: Exclude<T[Key], undefined> };
type IsRecord =
  { [Key in keyof OfResult]-?: Exclude<RunResult[Key], undefined> } extends Given<Exact<OfResult>> ? true : never;

void ([true, true, true, true] satisfies [SameEvents, NoOthers, IsLine, IsRecord]);

const lineSchema = answerSchema(runOutputSchema() as { [keyword: string]: unknown });

/** What is wrong with the lines of a run, if anything. */
export async function problemsOf({ stdout }: Pick<Outcome, "stdout">): Promise<string[]> {
  const problems: string[] = [];
  for (const line of jsonLines<{ type: string }>(stdout)) {
    const reading = await lineSchema.read(line as never);
    if ("problem" in reading) problems.push(`${line.type}: ${reading.problem}`);
  }
  return problems;
}
