import type { RunEvent } from "@cogency/protocol";
import {
  type Attributes,
  type Context,
  context,
  type HrTime,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import {
  endAttributes,
  modelAttributes,
  outcomeAttributes,
  requestAttributes,
  responseAttributes,
  usageAttributes,
} from "./attributes.ts";
import { RunContent } from "./run-content.ts";
import { readTraceparent, toTraceparent } from "./traceparent.ts";

type Event<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

export interface RunTraceOptions {
  tracer: Tracer;
  name: string | undefined;
  /** Whether spans hold content. */
  content: boolean;
  /** The call that the run belongs to; undefined for a run of its own. */
  parent: Context | undefined;
  /** Takes an event of a run that a call of this one has started, with the span of the call. */
  onSubagent: (event: RunEvent, call: Context) => void;
}

/** The spans of one run, from its events in their order. */
export class RunTrace {
  readonly #options: RunTraceOptions;
  readonly #conversation: string;
  readonly #run: Span;
  /** In which the spans of requests and calls begin. */
  readonly #context: Context;
  readonly #content: RunContent | undefined;
  /** The span of the request whose answer is read. */
  #chat: { span: Span; isStreamed: boolean; endedAt?: HrTime } | undefined;
  /** The spans of the calls that run, by the ids of these. */
  readonly #calls = new Map<string, Span>();

  constructor(started: Event<"run_started">, options: RunTraceOptions) {
    const { name, tracer, parent } = options;
    this.#options = options;
    this.#conversation = started.run.conversation;
    const { active, begun } = placeOf(started, parent);
    this.#run = tracer.startSpan(
      name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
      {
        kind: SpanKind.INTERNAL,
        startTime: timeOf(started),
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          ...modelAttributes(started),
          "gen_ai.conversation.id": this.#conversation,
          ...(name !== undefined && { "gen_ai.agent.name": name }),
          "cogency.run.id": started.run.id,
          "cogency.run.mode": started.mode,
        },
        // The request that asked to go on with a turn is no part of the trace of the turn.
        ...(active && { links: [{ context: active.spanContext() }] }),
      },
      begun,
    );
    this.#context = trace.setSpan(begun, this.#run);
    this.#content = options.content && this.#run.isRecording() ? new RunContent() : undefined;
  }

  get traceparent(): string | undefined {
    return toTraceparent(this.#run.spanContext());
  }

  take(event: Exclude<RunEvent, Event<"run_started">>): void {
    // A run that is not sampled has no spans inside of it.
    if (!this.#run.isRecording()) return;
    this.#content?.take(event);
    switch (event.type) {
      case "request_started":
        this.#endChat(event);
        this.#startChat(event);
        return;
      case "request_retried":
        this.#noteRetry(event);
        return;
      case "request_ended":
        this.#takeEnd(event);
        return;
      case "step_ended":
        this.#endChat(event);
        return;
      case "tool_started":
        this.#startCall(event);
        return;
      case "tool_ended":
        this.#endCall(event);
        return;
      case "subagent":
        this.#options.onSubagent(event.event, this.#inCall(event.id));
        return;
      case "run_ended":
        this.#end(event);
    }
  }

  #startChat(request: Event<"request_started">): void {
    this.#content?.beginRequest();
    const attributes = requestAttributes(request);
    const span = this.#start(`chat ${request.model}`, SpanKind.CLIENT, request, {
      "gen_ai.operation.name": "chat",
      ...attributes,
    });
    this.#chat = { span, isStreamed: request.stream };
  }

  /** A retry is no error of the request: the answer may still come. */
  #noteRetry(retry: Event<"request_retried">): void {
    const { attempt, delay, code, message } = retry;
    const span = this.#chat?.span ?? this.#run;
    span.addEvent(
      "cogency.retry",
      {
        "error.type": code,
        "cogency.retry.attempt": attempt,
        "cogency.retry.delay": delay / 1000,
        ...(this.#content && { "cogency.retry.message": message }),
      },
      timeOf(retry),
    );
  }

  /** The answer has come. What it holds is on the timeline only after that. */
  #takeEnd(ended: Event<"request_ended">): void {
    if (!this.#chat) return;
    const { span, isStreamed } = this.#chat;
    const { error, finish } = ended;
    span.setAttributes(responseAttributes(ended, isStreamed));
    if (error) this.#fail(span, error.code, error.message);
    this.#content?.endRequest(finish);
    this.#chat.endedAt = timeOf(ended);
    if (!this.#content) this.#endChat(ended);
  }

  #endChat(event: RunEvent): void {
    if (!this.#chat) return;
    const { span, endedAt = timeOf(event) } = this.#chat;
    this.#chat = undefined;
    if (this.#content) span.setAttributes(this.#content.ofRequest());
    span.end(endedAt);
  }

  #startCall(started: Event<"tool_started">): void {
    const { id } = started;
    // It waited, and begins again with the answer.
    this.#leave(id, started);
    this.#calls.set(id, this.#startCallSpan(started, timeOf(started)));
  }

  #startCallSpan(call: Event<"tool_started" | "tool_ended">, time: HrTime): Span {
    const { id, name, args } = call;
    return this.#start(`execute_tool ${name}`, SpanKind.INTERNAL, time, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.type": "function",
      ...(this.#content && { "gen_ai.tool.call.arguments": JSON.stringify(args) }),
    });
  }

  #endCall(ended: Event<"tool_ended">): void {
    const { id, outcome, result, duration, timestamp } = ended;
    const span = this.#calls.get(id) ?? this.#startCallSpan(ended, toHrTime(timestamp - duration));
    this.#calls.delete(id);
    const content = JSON.stringify(result.content);
    span.setAttributes({
      ...outcomeAttributes(ended),
      ...(this.#content && outcome === "success" && { "gen_ai.tool.call.result": content }),
    });
    if (outcome !== "success") this.#fail(span, outcome, content);
    span.end(timeOf(ended));
  }

  /** Ends the span of a call that has not ended. */
  #leave(id: string, event: RunEvent): void {
    const span = this.#calls.get(id);
    if (!span) return;
    this.#calls.delete(id);
    span.setAttribute("cogency.tool.outcome", "open");
    span.end(timeOf(event));
  }

  #inCall(id: string): Context {
    const span = this.#calls.get(id);
    return span ? trace.setSpan(this.#context, span) : this.#context;
  }

  #end(ended: Event<"run_ended">): void {
    this.#endChat(ended);
    for (const id of this.#calls.keys()) this.#leave(id, ended);
    const { error, usage, cost } = ended;
    this.#run.setAttributes({
      ...endAttributes(ended),
      ...usageAttributes(usage),
      ...(cost !== undefined && { "cogency.cost": cost }),
      ...this.#content?.ofRun(),
    });
    if (error) this.#fail(this.#run, error.code, error.message);
    this.#run.end(timeOf(ended));
  }

  #start(name: string, kind: SpanKind, at: RunEvent | HrTime, attributes: Attributes): Span {
    const startTime = "timestamp" in at ? timeOf(at) : at;
    const all = { ...attributes, "gen_ai.conversation.id": this.#conversation };
    return this.#options.tracer.startSpan(name, { kind, startTime, attributes: all }, this.#context);
  }

  #fail(span: Span, type: string, message: string): void {
    span.setAttribute("error.type", type);
    // What a provider or a tool says may repeat what it was given.
    span.setStatus({ code: SpanStatusCode.ERROR, ...(this.#content && { message }) });
  }
}

/** Where the span of a run begins, and the active span if it begins elsewhere. */
function placeOf(
  { traceparent }: Event<"run_started">,
  parent: Context | undefined,
): { begun: Context; active?: Span } {
  const here = parent ?? context.active();
  const turn = traceparent === undefined ? undefined : readTraceparent(traceparent);
  if (!turn) return { begun: here };
  const active = trace.getSpan(here);
  return { begun: trace.setSpanContext(here, turn), ...(active && { active }) };
}

function timeOf({ timestamp }: RunEvent): HrTime {
  return toHrTime(timestamp);
}

function toHrTime(timestamp: number): HrTime {
  const seconds = Math.floor(timestamp);
  return [seconds, Math.floor((timestamp - seconds) * 1e9)];
}
