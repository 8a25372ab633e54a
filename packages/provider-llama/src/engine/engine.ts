import { ProviderError } from "@cogency/provider";
import type { ChatWrapper, Llama, LlamaContext, LlamaGrammar, LlamaModel } from "node-llama-cpp";
import type { LlamaOptions } from "../options.ts";
import { checkFile } from "./check-file.ts";
import { Lanes } from "./lanes.ts";
import { firstLine, type Library, loadLibrary } from "./library.ts";
import { type Backend, openBackend } from "./open-backend.ts";

/** A model in the memory of this process, ready to be asked. */
export interface Engine {
  readonly library: Library;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly chat: ChatWrapper;
  readonly lanes: Lanes;
  /** Compiled grammars, by their text. */
  readonly grammars: Map<string, LlamaGrammar>;
}

/** @throws ProviderError that says which file, library or memory is missing */
export async function openEngine(options: LlamaOptions): Promise<Engine> {
  checkFile(options.model);
  const library = await loadLibrary(options.library);
  const backend = await openBackend(library, options);
  try {
    return await loadModel(library, backend.llama, options);
  } catch (cause) {
    throw await loadFailure(library, options, cause, backend);
  }
}

async function loadModel(library: Library, llama: Llama, options: LlamaOptions): Promise<Engine> {
  const { contextSize, parallel = 1, threads } = options;
  const model = await llama.loadModel({ modelPath: options.model });
  try {
    const context = await model.createContext({
      contextSize: contextSize ?? { max: model.trainContextSize },
      sequences: parallel,
      ...(threads !== undefined && { threads }),
    });
    const chat = library.resolveChatWrapper(model, { warningLogs: false }) ?? new library.GeneralChatWrapper();
    const sequences = Array.from({ length: parallel }, () => context.getSequence());
    return { library, llama, model, context, chat, lanes: new Lanes(sequences), grammars: new Map() };
  } catch (cause) {
    await model.dispose();
    throw cause;
  }
}

async function loadFailure(
  library: Library,
  { model, contextSize }: LlamaOptions,
  cause: unknown,
  backend: Backend,
): Promise<ProviderError> {
  const said = firstLine(cause);
  if (cause instanceof library.InsufficientMemoryError) {
    const advice = contextSize === undefined ? "" : `, or a context of fewer than ${contextSize} tokens`;
    const message = `The memory of this machine does not hold the model ${model} (${said}). Take a smaller one${advice}.`;
    return new ProviderError("server", message, { retryable: false, cause });
  }
  // What is wrong stands in the log, the error only says that something is.
  const reason = (await backend.logged()) ?? said;
  return new ProviderError("unsupported", `The model ${model} cannot be loaded: ${reason}`, { cause });
}
