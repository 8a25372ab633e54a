import { ProviderError } from "@cogency/provider";
import { readModelFile } from "../file/model-file.ts";
import type { LlamaOptions } from "../options.ts";
import { type Engine, openEngine } from "./engine.ts";

/** A signal of one request. `leave` must be called when the request is over. */
export interface RequestScope {
  readonly signal: AbortSignal;
  leave(): void;
}

/** Loads the model once, with the first request, and ends everything together. */
export class Host {
  readonly #options: LlamaOptions;
  readonly #scopes = new Set<AbortController>();
  #engine: Promise<Engine> | undefined;
  #loaded: Engine | undefined;
  #isClosed = false;
  /** What the file says; null if it cannot be read. */
  #trained: number | null | undefined;

  constructor(options: LlamaOptions) {
    this.#options = options;
  }

  /** Tokens of the context: of the loaded model, else what was asked for, else what the file says. Undefined if it says nothing. */
  get contextWindow(): number | undefined {
    return this.#loaded?.lanes.contextSize ?? this.#options.contextSize ?? this.#trainedFor();
  }

  /** @throws ProviderError if the model cannot be loaded; the next request tries again */
  engine(): Promise<Engine> {
    if (this.#isClosed) throw new ProviderError("unsupported", "The provider is closed. Make another one.");
    this.#engine ??= openEngine(this.#options).then(
      (engine) => {
        this.#loaded = engine;
        return engine;
      },
      (error) => {
        this.#engine = undefined;
        throw error;
      },
    );
    return this.#engine;
  }

  scope(signal: AbortSignal | undefined): RequestScope {
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    this.#scopes.add(controller);
    return {
      signal: controller.signal,
      leave: () => {
        signal?.removeEventListener("abort", abort);
        this.#scopes.delete(controller);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#scopes) controller.abort();
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.model.dispose();
  }

  #trainedFor(): number | undefined {
    if (this.#trained === undefined) {
      try {
        this.#trained = readModelFile(this.#options.model).contextLength ?? null;
      } catch {
        // The first request says what is wrong with the file.
        this.#trained = null;
      }
    }
    return this.#trained ?? undefined;
  }
}
