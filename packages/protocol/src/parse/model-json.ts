import { checkOptions, type OptionTable, oneOf } from "../options/index.ts";
import { JsonBlock, type ReadJson } from "./json-block.ts";

export type { Fault as ModelJsonFault } from "./block.ts";
export type { ReadJson as ModelJson } from "./json-block.ts";

export interface ModelJsonOptions {
  /** `"object"`, the default, refuses every value that is not an object. `"value"` accepts any JSON value. */
  wants?: "object" | "value" | undefined;
}

/**
 * Reads JSON text that a model wrote outside of the text protocol, such as the arguments of a native call, by the rules
 * that hold for `args` there (protocol.md P6, P13, P15). `json` is the same value without layout, which `JSON.parse`
 * reads without loss. White space around the value is ignored; other text is a fault. No text makes it throw.
 *
 * @throws TypeError or RangeError, with the code `invalid_option`, for a wrong option
 * @example readModelJson('{"id":2512292042121000001}').fault is
 * { message: "not a number that can be kept; write it as a string", position: 6 }
 */
export function readModelJson(text: string, options: ModelJsonOptions = {}): ReadJson {
  checkOptions("readModelJson", options, modelJsonOptions);
  return JsonBlock.readAlone(text, options.wants === "value" ? undefined : "{");
}

const modelJsonOptions = {
  wants: /* @__PURE__ */ oneOf("object", "value"),
} satisfies OptionTable<ModelJsonOptions>;
