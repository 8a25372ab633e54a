import type { SpanContext } from "@opentelemetry/api";
import { isSpanContextValid } from "@opentelemetry/api";

/** Writes a span as a `traceparent` of W3C Trace Context; undefined for a span of no trace. */
export function toTraceparent(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;
}

/** Reads a `traceparent` of any version; undefined if it names no span. */
export function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = form.exec(text) ?? [];
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
