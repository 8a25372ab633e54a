import type { Tracer } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

export interface Tracing {
  tracer: Tracer;
  /** The spans that have ended, in this order. */
  spans(): ReadableSpan[];
  /** The only span of this name. */
  span(name: string): ReadableSpan;
}

/** A tracer whose spans stay in memory. */
export function tracing(sampler?: Sampler): Tracing {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler && { sampler }),
  });
  const spans = () => exporter.getFinishedSpans();
  return {
    tracer: provider.getTracer("test"),
    spans,
    span(name) {
      const [found, ...others] = spans().filter((span) => span.name === name);
      if (!found || others.length > 0) {
        throw new Error(`There are ${found ? others.length + 1 : 0} spans named ${name}, not one.`);
      }
      return found;
    },
  };
}
