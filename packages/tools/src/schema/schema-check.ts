import { dereference, type Schema, type SchemaDraft, schemaKeyword, validate } from "@cfworker/json-schema";
import type { Json } from "@cogency/protocol";
import { subschemas } from "./subschemas.ts";

/**
 * Applies a schema, or a part of it, to a value.
 *
 * @throws RangeError if that takes more than a million steps; Error if a pattern is none
 */
export type SchemaCheck = (value: Json, part?: Schema) => ReturnType<typeof validate>;

export interface SchemaCheckOptions {
  /** Whether one error is enough. Defaults to false: all are named. */
  readonly stopsEarly?: boolean;
}

/**
 * Reads a schema by interpreting it. Draft 2020-12 unless `$schema` names an older one.
 *
 * A schema of a few lines can demand any number of steps: `$defs` in which each part refers twice to the one before double them with each
 * line. Whoever writes a schema for a model, such as a server, must not be able to stop the process with it, so steps are counted.
 *
 * @param schema is written into
 * @throws Error if a `$ref` of the schema leads nowhere
 */
export function schemaCheck(schema: Schema, { stopsEarly = false }: SchemaCheckOptions = {}): SchemaCheck {
  for (const part of subschemas(schema)) writeOutTrue(part);
  const lookup = dereference(schema);
  let left = 0;
  for (const part of new Set(Object.values(lookup))) {
    if (typeof part !== "object") continue;
    const target = part.__absolute_ref__;
    if (target !== undefined && lookup[target] === undefined) throw new Error(`the reference ${target} leads nowhere`);
    countUses(part, (steps) => {
      left -= steps;
      if (left < 0) throw new RangeError(`its schema takes more than ${mostSteps} steps`);
    });
  }
  const draft = draftOf(schema.$schema);
  return (value, part = schema) => {
    left = mostSteps;
    return validate(value, part, draft, lookup, stopsEarly);
  };
}

/** About two seconds of work. */
const mostSteps = 1_000_000;

/** The library applies `true` without reading a schema. `{}` means the same, and counts. */
function writeOutTrue(part: Schema): void {
  for (const [keyword, value] of Object.entries(part)) if (value === true && schemaKeyword[keyword]) part[keyword] = {};
}

/** The library reads each keyword of a schema once for each value that it applies the schema to; so this one tells. */
function countUses(part: Schema, used: (steps: number) => void): void {
  const { $recursiveAnchor } = part;
  const listed = Object.values(part).reduce((sum: number, value) => sum + lengthOf(value), 0);
  // Names and values of a list are compared much faster than a schema is applied.
  const steps = 1 + Math.floor(listed / 50);
  Object.defineProperty(part, "$recursiveAnchor", {
    enumerable: false,
    get() {
      used(steps);
      return $recursiveAnchor;
    },
  });
}

function lengthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function draftOf(dialect: unknown): SchemaDraft {
  const name = String(dialect);
  if (name.includes("draft-04")) return "4";
  if (name.includes("draft-06") || name.includes("draft-07")) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
}
