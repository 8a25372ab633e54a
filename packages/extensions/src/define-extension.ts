import { callback, checkOption, required } from "@cogency/protocol/options";
import type { ExtensionFactory, ExtensionHost, ExtensionParts } from "./extension.ts";
import { isStandardSchema, type StandardSchema } from "./options-schema.ts";

/** The options that a schema gives, with its defaults filled in. */
type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/**
 * An extension with options. `export default defineExtension(schema, make)`: whoever opens it checks the options by the schema first, and
 * says which key is wrong.
 *
 * @param schema of zod, valibot, arktype or another library of https://standardschema.dev
 * @throws TypeError for what is no schema, or no function
 */
export function defineExtension<const Schema extends StandardSchema>(
  schema: Schema,
  make: (options: OutputOf<Schema>, host: ExtensionHost) => ExtensionParts | Promise<ExtensionParts>,
): ExtensionFactory<OutputOf<Schema>> & { readonly options: Schema } {
  if (!isStandardSchema(schema))
    throw new TypeError("defineExtension takes the schema of its options first, such as `z.object({ url: z.url() })`.");
  checkOption("defineExtension", "make", make, required(callback));
  return Object.assign((options: OutputOf<Schema>, host: ExtensionHost) => make(options, host), { options: schema });
}
