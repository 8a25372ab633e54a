import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { Attachment } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";

/** @throws ProviderError `unsupported` for an address that is none */
export function toFilePart({ mediaType, data, name }: Attachment): LanguageModelV4FilePart {
  return {
    type: "file",
    mediaType,
    data: typeof data === "string" ? { type: "data", data } : { type: "url", url: addressOf(data.url) },
    ...(name !== undefined && { filename: name }),
  };
}

function addressOf(url: string): URL {
  const address = URL.parse(url);
  if (address) return address;
  throw new ProviderError("unsupported", "The address of an attachment is no URL. Give its bytes, or a whole URL.");
}
