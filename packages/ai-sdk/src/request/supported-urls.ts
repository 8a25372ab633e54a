import type { Attachment, ModelMessage } from "@cogency/protocol";
import { attachmentsOf, ProviderError } from "@cogency/provider";
import type { LanguageModel, SupportedUrls } from "../language-model.ts";

/**
 * Refuses addresses that the model's server does not fetch itself. The function `streamText` of the AI SDK would download them: whoever
 * names an address in a conversation could then have this machine ask any server.
 *
 * @throws ProviderError `unsupported`
 */
export async function checkAddresses(model: LanguageModel, messages: readonly ModelMessage[]): Promise<void> {
  const addressed = messages.flatMap(attachmentsOf).filter(({ data }) => typeof data !== "string");
  if (addressed.length === 0) return;
  const supported = (await model.supportedUrls) ?? {};
  const refused = addressed.find((attachment) => !isSupported(attachment, supported));
  if (!refused) return;
  const message = `${model.provider} ${model.modelId} does not fetch this address of ${refused.mediaType} itself, and nothing else fetches it. Give its bytes.`;
  throw new ProviderError("unsupported", message);
}

function isSupported({ mediaType, data }: Attachment, supported: SupportedUrls): boolean {
  const url = typeof data === "string" ? "" : data.url.toLowerCase();
  const type = mediaType.toLowerCase();
  return Object.entries(supported).some(
    ([pattern, addresses]) => matches(pattern, type) && addresses.some((address) => new RegExp(address).test(url)),
  );
}

function matches(pattern: string, type: string): boolean {
  return (
    pattern === "*" ||
    pattern === "*/*" ||
    pattern === type ||
    (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1)))
  );
}
