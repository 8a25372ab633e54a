import type { JsonObject, ToolCall } from "@cogency/protocol";
import { type CallPart, type Part, partialArgs } from "@cogency/protocol/parts";

/**
 * What a screen shows, where `Call` is the union of the calls that the tools may have (`CallOf` of `@cogency/tools`): then the name of a
 * call narrows its arguments. They are those that the model wrote, and may not fit the tool until its body runs.
 */
export type PartsOf<Call extends ToolCall = ToolCall> = readonly PartOf<Call>[];

export type PartOf<Call extends ToolCall = ToolCall> = Exclude<Part, CallPart> | CallPartOf<Call>;

export type CallPartOf<Call extends ToolCall = ToolCall> = Call extends ToolCall
  ? Omit<CallPart, "name" | "args"> & { readonly name: Call["name"]; readonly args?: Call["args"] }
  : never;

/** A value of which only the beginning may have been written: fields and elements may be missing, and texts may be cut. */
export type Incomplete<T> = T extends string
  ? string
  : T extends readonly (infer Element)[]
    ? readonly Incomplete<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Incomplete<T[Name]> }
      : T;

/** The arguments of a call so far, also while the model writes them. Never throws. */
export function argsOf<P extends { readonly text?: string; readonly args?: JsonObject }>(
  part: P,
): Incomplete<NonNullable<P["args"]>> {
  return (part.args ?? partialArgs(part.text ?? "")) as Incomplete<NonNullable<P["args"]>>;
}
