import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { oneLine, visible, widthOr } from "../../base/terminal/text.ts";
import { modelFile, unreadable } from "../../work/provider/llama-provider.ts";

/** Whether what is named is a file or a folder of models, and no server. */
export function isModelPath(name: string): boolean {
  return name.includes("/") || name.startsWith(".") || name.endsWith(".gguf");
}

/** `cogency models <path>`: the models in the files of a folder, or in one file. @throws UsageError if there is none */
export async function listModelFiles(path: string, json: boolean): Promise<void> {
  const { readModelFile } = await import("@cogency/provider-llama");
  const found = filesAt(modelFile(path)).map((file) => {
    try {
      const { architecture, contextLength, template, bytes } = readModelFile(file);
      return { file, architecture, contextLength, hasTemplate: template !== undefined, bytes };
    } catch (cause) {
      return { file, problem: unreadable(file, cause) };
    }
  });
  if (found.length === 0) throw new UsageError(`There is no GGUF file in ${oneLine(path, 300)}.`);
  if (json) for (const one of found) await putLine(one);
  else await put(linesOf(found.map((one) => [visible(one.file), one.problem ?? described(one)])));
}

/** What a file says about its model, in one line. */
export function described(model: {
  readonly architecture: string;
  readonly contextLength?: number | undefined;
  readonly hasTemplate: boolean;
  readonly bytes: number;
}): string {
  const { architecture, contextLength, hasTemplate, bytes } = model;
  const context = contextLength === undefined ? "a context of unknown size" : `a context of ${contextLength} tokens`;
  const template = hasTemplate ? "a chat template" : "no chat template of its own";
  return `${oneLine(architecture, 40)}, ${context}, ${template}, ${Math.ceil(bytes / 1e6)} MB`;
}

function filesAt(place: string): string[] {
  try {
    if (!statSync(place).isDirectory()) return [place];
    const names = readdirSync(place).filter((name) => name.endsWith(".gguf"));
    return names.sort().map((name) => join(place, name));
  } catch {
    // What is wrong is said of the file.
    return [place];
  }
}

function linesOf(rows: readonly (readonly string[])[]): string {
  const columns = widthOr(process.stdout, Number.POSITIVE_INFINITY);
  return [...tableLines(rows, { columns }), ""].join("\n");
}
