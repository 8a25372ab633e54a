import type { Attributes, Meter } from "@opentelemetry/api";
import {
  DataPointType,
  type ExponentialHistogram,
  type Histogram,
  MeterProvider,
  MetricReader,
} from "@opentelemetry/sdk-metrics";

export interface Metering {
  meter: Meter;
  /** Each metric as it is now: its unit, and each point with its attributes and its value, or its count and sum. */
  collect(): Promise<Map<string, Measured>>;
  /** The errors of the last collection. */
  errors(): readonly unknown[];
}

interface Measured {
  unit: string;
  isHistogram: boolean;
  boundaries: readonly number[];
  points: { attributes: Attributes; value: number; count: number }[];
}

class Reader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** A meter whose metrics are read when a test wants them. */
export function metering(): Metering {
  const reader = new Reader();
  const provider = new MeterProvider({ readers: [reader] });
  let failed: readonly unknown[] = [];
  return {
    meter: provider.getMeter("test"),
    errors: () => failed,
    async collect() {
      const { resourceMetrics, errors } = await reader.collect({ timeoutMillis: 200 });
      failed = errors;
      const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      return new Map(
        metrics.map(({ descriptor, dataPointType, dataPoints }) => [
          descriptor.name,
          {
            unit: descriptor.unit,
            isHistogram: dataPointType === DataPointType.HISTOGRAM,
            boundaries: boundariesOf(dataPoints[0]?.value),
            points: dataPoints.map(({ attributes, value }) =>
              typeof value === "number"
                ? { attributes, value, count: 1 }
                : { attributes, value: value.sum ?? 0, count: value.count },
            ),
          },
        ]),
      );
    },
  };
}

function boundariesOf(value: number | Histogram | ExponentialHistogram | undefined): readonly number[] {
  return typeof value === "object" && "buckets" in value ? value.buckets.boundaries : [];
}
