import type { ToolInput } from "../schema/infer-args.ts";

/** What the body of a tool asks a person. */
export interface Question<Schema extends ToolInput = ToolInput> {
  /** The person reads it. */
  message: string;
  /**
   * What the answer must fit, any JSON value: a Standard Schema whose library makes JSON Schema, or plain JSON Schema. Defaults to
   * a text.
   */
  schema?: Schema | undefined;
}
