import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Provider } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { llamaLibraryFile, loadLlamaLibrary } from "../../place/modules/llama-library.ts";
import type { ServerChoice } from "./named-provider.ts";

/**
 * A model in a file, which runs in this process. The file is looked at, and the library searched, before anything is asked.
 *
 * @throws UsageError if no file is named, if it is no model, or if the library is not installed
 */
export async function llamaProvider({ model, baseUrl, apiKeyEnv }: ServerChoice): Promise<Provider> {
  for (const [given, option] of [
    [baseUrl, "--base-url"],
    [apiKeyEnv, "--api-key-env"],
  ]) {
    if (given !== undefined) throw new UsageError(`${option} is of no use to a model in a file: leave it out.`);
  }
  if (model === undefined) {
    throw new UsageError(
      "Name the file of the model, such as --model ./model.gguf. cogency models and a folder lists those in it.",
    );
  }
  const file = modelFile(model);
  const { llama, readModelFile } = await import("@cogency/provider-llama");
  try {
    readModelFile(file);
  } catch (cause) {
    throw new UsageError(unreadable(file, cause), { cause });
  }
  llamaLibraryFile();
  return llama({ model: file, library: loadLlamaLibrary });
}

/** The path of a model's file, in which `~` stands for the home folder: a configuration is read by no shell. */
export function modelFile(model: string): string {
  return model.startsWith("~/") ? join(homedir(), model.slice(2)) : resolve(model);
}

/** Why a file is no model that can run. */
export function unreadable(file: string, cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  const path = oneLine(file, 300);
  if (code === "ENOENT" || code === "ENOTDIR")
    return `There is no file ${path}. Give the path of a GGUF file with --model.`;
  if (code === "not_gguf")
    return `${path} is no model that can run: ${message}. Give the path of a GGUF file with --model.`;
  return `${path} cannot be read (${code}).`;
}
