export { GgufError } from "./file/gguf-reader.ts";
export type { ModelFile } from "./file/model-file.ts";
export { readModelFile } from "./file/model-file.ts";
export type { LlamaProvider } from "./llama.ts";
export { llama, llama as default } from "./llama.ts";
export type { LlamaOptions, Sampling } from "./options.ts";
