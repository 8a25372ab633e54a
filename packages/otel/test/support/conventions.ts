import type { Attributes, AttributeValue } from "@opentelemetry/api";
import conventions from "../conventions.json" with { type: "json" };

type Table = Readonly<Record<string, string>>;

export interface SpanConvention {
  kind: string;
  name: string;
  attributes: Table;
}

export interface MetricConvention {
  instrument: string;
  unit: string;
  boundaries: readonly number[];
  attributes: Table;
}

export const spanConventions: Readonly<Record<string, SpanConvention>> = conventions.spans;
export const metricConventions: Readonly<Record<string, MetricConvention>> = conventions.metrics;

/** Attributes whose value must be one of a list; every other value of an enumeration may be one of our own. */
const closed: Readonly<Record<string, readonly string[]>> = conventions.values;
const open = new Set(["gen_ai.provider.name"]);

/** What is wrong with attributes by the conventions, a line each. Those of Cogency's own begin with its name. */
export function attributeProblems(attributes: Attributes, table: Table): string[] {
  const wrong = Object.entries(attributes).flatMap(([name, value]) => {
    if (name.startsWith("cogency.")) return [];
    const [type] = table[name]?.split(" ") ?? [];
    if (type === undefined) return [`${name} is no attribute of this`];
    const values = open.has(name) ? undefined : closed[name];
    if (values && !values.some((one) => one === value)) return [`${name} may not be ${value}`];
    return fits(type, value) ? [] : [`${name} is no ${type}: ${value}`];
  });
  const missing = Object.entries(table).flatMap(([name, rule]) =>
    rule.endsWith(" required") && attributes[name] === undefined ? [`${name} is missing`] : [],
  );
  return [...wrong, ...missing];
}

function fits(type: string, value: AttributeValue | undefined): boolean {
  switch (type) {
    case "string":
    case "enum":
      return typeof value === "string" && value !== "";
    case "int":
      return Number.isInteger(value);
    case "double":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "string[]":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "any":
      // Spans hold no structures: the conventions have their JSON text.
      return typeof value === "string" && JSON.parse(value) !== undefined;
    default:
      return false;
  }
}
