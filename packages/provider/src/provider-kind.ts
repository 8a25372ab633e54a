import { checkOptions, name, type OptionKind, object, required, text } from "@cogency/protocol/options";
import type { Provider } from "./provider.ts";

/** The kind of an option that is a provider. */
export const providerKind: OptionKind = {
  wanted: "a provider, such as `openai()` of @cogency/provider-openai returns, which has `stream()`",
  isOfType: (value) =>
    typeof value === "object" && value !== null && typeof Reflect.get(value, "stream") === "function",
  inside(value, path, _check, where) {
    const { name: called, model, capabilities } = value as Provider;
    // A provider may be an instance of a class, and may have methods of its own.
    const kinds = { name: required(name), model: required(text), capabilities: required(object) };
    checkOptions(`\`${path}\` of ${where}`, { name: called, model, capabilities }, kinds);
  },
};
