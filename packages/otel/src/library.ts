import { having, type OptionKind } from "@cogency/protocol/options";
import { type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";

/** The version of the conventions that spans and metrics follow: the last one in which the main repository defines those of GenAI. */
const schemaUrl = "https://opentelemetry.io/schemas/1.41.0";

const library = "@cogency/otel";

/** The tracer of the global provider, also of one that is registered later. */
export function globalTracer(): Tracer {
  return trace.getTracerProvider().getTracer(library, undefined, { schemaUrl });
}

/** What the option `meter` must be. */
export const ofMeter: OptionKind = having("a meter of OpenTelemetry", "createCounter", "createHistogram");

/** The meter of the global provider. Metrics need one that is registered before. */
export function globalMeter(): Meter {
  return metrics.getMeter(library, undefined, { schemaUrl });
}
