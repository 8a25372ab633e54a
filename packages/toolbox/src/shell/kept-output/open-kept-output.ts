import type { PartKey } from "@cogency/tools/host";
import { checkOptionsOf } from "../../options.ts";
import type { KeptOutput, KeptOutputOptions } from "./kept-output.ts";
import { outputFiles } from "./output-files.ts";
import { outputInMemory } from "./output-in-memory.ts";

/** Opens the place where `shell` keeps the whole output of commands, for `outputs` of `shellTool` and `parts` of `readResultTool`. */
export function openKeptOutput(options: KeptOutputOptions = {}): KeptOutput {
  checkOptionsOf("openKeptOutput", options);
  const { folder, maxBytes, redact } = options;
  const kept = folder === undefined ? outputInMemory(maxBytes) : outputFiles(folder, maxBytes);
  if (redact === undefined) return kept;
  return { ...kept, keep: (key: PartKey, text: string) => kept.keep(key, redact(text)) };
}
