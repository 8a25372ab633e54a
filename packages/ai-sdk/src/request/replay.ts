import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { AssistantMessage, JsonObject } from "@cogency/protocol";
import { isObject, type NativeRules, replayNative, stringOf } from "@cogency/provider/http";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

/** The parts of an earlier answer of this provider and model, as {@link replayNative} reads them. */
export function replay(
  message: AssistantMessage,
  owner: { readonly name: string; readonly model: string },
): AssistantContent | undefined {
  return replayNative(message, owner, rules)?.flatMap(toPart);
}

const rules: NativeRules = {
  textOf: (item) => (item.type === "text" ? stringOf(item.text) : ""),
  callOf: (item) =>
    item.type === "tool-call" && item.providerExecuted !== true ? { name: item.toolName, args: item.input } : undefined,
  withId: (item, id) => ({ ...item, toolCallId: id }),
};

/** What `nativeOf` has written, and nothing else. */
function toPart(item: JsonObject): AssistantContent {
  const providerOptions = isObject(item.providerOptions) ? { providerOptions: item.providerOptions as never } : {};
  switch (item.type) {
    case "text":
    case "reasoning":
      return [{ type: item.type, text: stringOf(item.text), ...providerOptions }];
    case "tool-call": {
      const { input, providerExecuted } = item;
      const isTheirs = providerExecuted === true ? { providerExecuted } : {};
      return [{ type: "tool-call", ...namesOf(item), input, ...isTheirs, ...providerOptions }];
    }
    case "tool-result": {
      const output = { type: item.failed === true ? "error-json" : "json", value: item.output ?? null } as const;
      return [{ type: "tool-result", ...namesOf(item), output, ...providerOptions }];
    }
    case "file":
    case "reasoning-file":
      return [{ type: item.type, mediaType: stringOf(item.mediaType), data: dataOf(item), ...providerOptions }];
    case "custom":
      return [{ type: "custom", kind: stringOf(item.kind) as `${string}.${string}`, ...providerOptions }];
    default:
      return [];
  }
}

function namesOf({ toolCallId, toolName }: JsonObject): { toolCallId: string; toolName: string } {
  return { toolCallId: stringOf(toolCallId), toolName: stringOf(toolName) };
}

function dataOf({ data, url }: JsonObject) {
  const address = URL.parse(stringOf(url));
  return address ? ({ type: "url", url: address } as const) : ({ type: "data", data: stringOf(data) } as const);
}
