import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { McpCallHost } from "./call-host.ts";
import type { McpOfferedPrompt } from "./prompts/offered-prompt.ts";
import { promptNamed } from "./prompts/serve-prompts.ts";
import type { McpResources } from "./resources/offered-resources.ts";

/** Proposals that one answer may hold, by the protocol. */
const most = 100;

/** @throws ProtocolError for a prompt or a template that is not offered */
export async function completion(
  { ref, argument: { name, value }, context }: CompleteRequest["params"],
  prompts: readonly McpOfferedPrompt[],
  resources: McpResources | undefined,
  host: McpCallHost,
): Promise<CompleteResult> {
  const known = context?.arguments ?? {};
  if (ref.type === "ref/prompt") {
    const argument = promptNamed(prompts, ref.name).args?.find((one) => one.name === name);
    return answer(await argument?.complete?.(value, known));
  }
  const templates = (await resources?.templates?.(host)) ?? [];
  const found = templates.find(({ template }) => template === ref.uri);
  if (!found) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no template ${JSON.stringify(ref.uri)}.`);
  }
  return answer(await found.complete?.(name, value, known));
}

function answer(values: readonly string[] = []): CompleteResult {
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
}
