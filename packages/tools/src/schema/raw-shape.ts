import { definitionError } from "../errors.ts";
import { isStandardSchema } from "./standard-schema.ts";

/**
 * Refuses an object of schemas, such as `{ order: z.string() }`: as JSON Schema it would mean nothing and admit everything.
 *
 * @throws ToolError that says what to write
 */
export function refuseRawShape(name: string, input: unknown): void {
  if (typeof input !== "object" || input === null || isStandardSchema(input)) return;
  const found = Object.entries(input).find(([, value]) => isSchema(value));
  if (found === undefined) return;
  const [key, schema] = found;
  const wrapper = wrappers[vendorOf(schema)] ?? "what the library of its schemas has for objects";
  const problem = `\`input\` is an object with a schema under \`${key}\`, but no schema itself`;
  throw definitionError("invalid_schema", name, `${problem}: wrap it in ${wrapper}.`);
}

/** What makes an object schema in each library. */
const wrappers: Readonly<Record<string, string>> = {
  zod: "z.object(…)",
  valibot: "v.object(…)",
  arktype: "type(…)",
};

function isSchema(value: unknown): boolean {
  return isStandardSchema(value) || isOldZod(value);
}

/** A schema of zod 3 before 3.24, which is no Standard Schema. */
function isOldZod(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_def" in value && "safeParse" in value;
}

function vendorOf(schema: unknown): string {
  return isStandardSchema(schema) ? schema["~standard"].vendor : "zod";
}
