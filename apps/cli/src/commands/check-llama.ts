import { messageOf } from "../base/errors/message-of.ts";
import { llamaInstall, loadLlamaLibrary } from "../place/modules/llama-library.ts";
import { modelFile, unreadable } from "../work/provider/llama-provider.ts";
import type { Finding } from "./finding.ts";
import { described } from "./lists/model-files.ts";

/** Whether the library loads that runs models in files, with which processor, and what the file is. */
export async function checkLlama(model: string | undefined): Promise<Finding[]> {
  return [await checkLibrary(), ...(model === undefined ? [] : [await checkFile(modelFile(model))])];
}

/** As much of the library as is used here. */
interface Library {
  getLlama(options: object): Promise<{ readonly gpu: string | false }>;
}

async function checkLibrary(): Promise<Finding> {
  try {
    const { getLlama } = (await loadLlamaLibrary()) as Library;
    const { gpu } = await getLlama({
      build: "never",
      skipDownload: true,
      dryRun: true,
      progressLogs: false,
      debug: false,
    });
    const processor = gpu === false ? "the CPU" : `the GPU, by ${gpu}`;
    return { about: "llama", state: "ok", text: `node-llama-cpp loads, and uses ${processor}` };
  } catch (error) {
    return { about: "llama", state: "fault", text: messageOf(error as Error), mend: `Type: ${llamaInstall()}` };
  }
}

async function checkFile(file: string): Promise<Finding> {
  const { readModelFile } = await import("@cogency/provider-llama");
  try {
    const found = readModelFile(file);
    const text = `${file}: ${described({ ...found, hasTemplate: found.template !== undefined })}`;
    return { about: "file", state: "ok", text };
  } catch (cause) {
    const mend = "Give the path of a GGUF file with --model.";
    return { about: "file", state: "fault", text: unreadable(file, cause), mend };
  }
}
