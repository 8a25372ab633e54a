import { ProviderError } from "@cogency/provider";
import type * as NodeLlama from "node-llama-cpp";

/** The module `node-llama-cpp`, of which nothing is loaded before a model is. */
export type Library = typeof NodeLlama;

/** How to get it. */
export const install = "npm install node-llama-cpp";

/** @throws ProviderError `unsupported` if it is not installed or does not load */
export async function loadLibrary(load: (() => Promise<unknown>) | undefined): Promise<Library> {
  let module: unknown;
  try {
    module = load ? await load() : await import("node-llama-cpp");
  } catch (cause) {
    throw missingLibrary(cause);
  }
  if (typeof (module as Partial<Library> | undefined)?.getLlama !== "function") {
    throw new ProviderError("unsupported", "`library` did not return the module node-llama-cpp, which has `getLlama`.");
  }
  return module as Library;
}

function missingLibrary(cause: unknown): ProviderError {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === "ERR_MODULE_NOT_FOUND";
  const what = isMissing ? "is not installed" : `does not load (${firstLine(cause)})`;
  const message = `The library that runs models in files, node-llama-cpp, ${what}. Type: ${install}`;
  return new ProviderError("unsupported", message, { cause });
}

export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? "";
}
