import { ProviderError } from "@cogency/provider";
import { GgufError } from "../file/gguf-reader.ts";
import { type ModelFile, readModelFile } from "../file/model-file.ts";

/** @throws ProviderError `not_found` if there is no such file, `permission` if it may not be read, `unsupported` if it is no GGUF file */
export function checkFile(path: string): ModelFile {
  try {
    return readModelFile(path);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

function fileError(path: string, cause: unknown): ProviderError {
  if (cause instanceof GgufError) {
    const message = `${path} is no model that can be read: ${cause.message}. Give the path of a GGUF file.`;
    return new ProviderError("unsupported", message, { cause });
  }
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new ProviderError("not_found", `There is no file ${path}. Give the path of a GGUF file.`, { cause });
  }
  return new ProviderError("permission", `The file ${path} cannot be read (${code}).`, { cause });
}
