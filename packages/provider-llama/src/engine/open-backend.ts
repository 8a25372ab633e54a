import { setImmediate } from "node:timers/promises";
import { ProviderError } from "@cogency/provider";
import type { Llama } from "node-llama-cpp";
import type { LlamaOptions } from "../options.ts";
import { firstLine, install, type Library } from "./library.ts";

/** llama.cpp, started. */
export interface Backend {
  readonly llama: Llama;
  /** The first thing that it has reported as an error since this was asked the last time. */
  logged(): Promise<string | undefined>;
}

type Settings = Pick<LlamaOptions, "gpu" | "threads">;

/** To start it takes half a second, and then it needs next to no memory: it is started once for all models. */
const backends = new WeakMap<Library, Map<string, Promise<Backend>>>();

/** @throws ProviderError `unsupported` if nothing that is installed runs on this machine */
export function openBackend(library: Library, { gpu = "auto", threads }: Settings): Promise<Backend> {
  const started = backends.get(library) ?? new Map<string, Promise<Backend>>();
  backends.set(library, started);
  const key = JSON.stringify([gpu, threads]);
  const known = started.get(key);
  if (known) return known;
  const backend = start(library, { gpu, threads });
  started.set(key, backend);
  backend.catch(() => started.delete(key));
  return backend;
}

async function start(library: Library, { gpu, threads }: Settings): Promise<Backend> {
  const log: string[] = [];
  const llama = await library
    .getLlama({
      build: "never",
      skipDownload: true,
      gpu: gpu ?? "auto",
      ...(threads !== undefined && { maxThreads: threads }),
      // Otherwise the library prints: its texts would stand among those of the host, and its variable of the environment would count.
      debug: false,
      progressLogs: false,
      logLevel: library.LlamaLogLevel.error,
      logger: (_, message) => {
        if (log.length < 100) log.push(message);
      },
    })
    .catch((cause) => {
      const what = `node-llama-cpp has no program for this machine (${firstLine(cause)}).`;
      const advice = `Install it again, with its optional dependencies: ${install}`;
      throw new ProviderError("unsupported", `${what} ${advice}`, { cause });
    });
  return {
    llama,
    async logged() {
      // Reports come from another thread, and later than the error.
      await setImmediate();
      const [first] = log.splice(0);
      return first?.trim();
    },
  };
}
