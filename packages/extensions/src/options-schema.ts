/** The part of https://standardschema.dev that the options of an extension need. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): SchemaResult | Promise<SchemaResult>;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  const isHolder = typeof value === "function" || (typeof value === "object" && value !== null);
  if (!isHolder || !("~standard" in value)) return false;
  const standard = value["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

/** The options as the schema makes them, or what is wrong with them, by key. */
export async function checkedBy(
  schema: StandardSchema,
  options: unknown,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const result = await schema["~standard"].validate(options);
  if (!result.issues) return { value: result.value };
  const shown = result.issues.slice(0, 5).map(({ path = [], message }) => {
    const keys = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    return keys === "" ? message : `options.${keys}: ${message}`;
  });
  const more = result.issues.length > 5 ? `; ${result.issues.length - 5} more` : "";
  return { problem: shown.join("; ") + more };
}
