/** A JSON Schema as it arrives on a wire. */
export type Schema = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema at a local reference; undefined if there is none. */
export function at(reference: unknown, root: Schema): Schema | undefined {
  if (reference === "#") return root;
  let target: unknown = root;
  for (const name of String(reference).replace(/^#\//, "").split("/")) {
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return isObject(target) ? target : undefined;
}

/** The schemas directly inside of a schema, each with the way to it as servers write it. */
export function inside(schema: Schema): [way: string[], inner: Schema][] {
  const named = ["properties", "$defs", "definitions", "patternProperties"].flatMap((keyword) =>
    isObject(schema[keyword])
      ? Object.entries(schema[keyword]).map(([name, inner]): [string[], unknown] => [[keyword, name], inner])
      : [],
  );
  const listed = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    Array.isArray(schema[keyword])
      ? schema[keyword].map((inner, index): [string[], unknown] => [[keyword, String(index)], inner])
      : [],
  );
  const single = ["items", "additionalProperties", "not", "contains"].map((keyword): [string[], unknown] => [
    [keyword],
    schema[keyword],
  ]);
  return [...named, ...listed, ...single].filter((pair): pair is [string[], Schema] => isObject(pair[1]));
}

/** The first problem that `look` finds in the schema or in one inside of it. */
export function firstProblem(
  schema: Schema,
  look: (part: Schema, way: readonly string[]) => string | undefined,
  way: readonly string[] = [],
): string | undefined {
  const own = look(schema, way);
  if (own !== undefined) return own;
  for (const [step, inner] of inside(schema)) {
    const problem = firstProblem(inner, look, [...way, ...step]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
