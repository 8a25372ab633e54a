import { GgufError, GgufReader } from "./gguf-reader.ts";

/** What a GGUF file says about its model. Texts come from the file: whoever made it chose them. */
export interface ModelFile {
  /** Such as `llama` or `qwen3`. */
  readonly architecture: string;
  /** The name that its makers gave it. */
  readonly name?: string;
  /** Tokens that the model was trained for. */
  readonly contextLength?: number;
  /** The chat template, in Jinja. Without one the template is guessed from the architecture. */
  readonly template?: string;
  /** Size of the file, in bytes. */
  readonly bytes: number;
}

/**
 * Reads what a GGUF file says about its model. Needs no library, and reads no weights.
 *
 * @throws GgufError if it is no GGUF file
 * @throws the error of the system if it cannot be read
 */
export function readModelFile(path: string): ModelFile {
  const reader = new GgufReader(path);
  try {
    if (reader.bytes < 24 || reader.take(4).toString("latin1") !== "GGUF") {
      throw new GgufError("it does not begin with GGUF");
    }
    const version = reader.u32();
    if (version < 2 || version > 3) throw new GgufError(`it has version ${version} of GGUF, and 2 or 3 can be read`);
    reader.count();
    return modelOf(readEntries(reader, reader.count()), reader.bytes);
  } finally {
    reader.close();
  }
}

function modelOf(entries: ReadonlyMap<string, string | number>, bytes: number): ModelFile {
  const architecture = entries.get("general.architecture");
  if (typeof architecture !== "string") throw new GgufError("it does not name its architecture");
  const name = entries.get("general.name");
  const contextLength = entries.get(`${architecture}.context_length`);
  const template = entries.get("tokenizer.chat_template");
  return {
    architecture,
    ...(typeof name === "string" && { name }),
    ...(typeof contextLength === "number" && contextLength > 0 && { contextLength }),
    ...(typeof template === "string" && { template }),
    bytes,
  };
}

/** Bytes of a text that are kept: a chat template has some ten thousand. */
const longestText = 1 << 20;

/** The texts and whole numbers that say something about the model. */
function readEntries(reader: GgufReader, count: number): ReadonlyMap<string, string | number> {
  const entries = new Map<string, string | number>();
  for (let index = 0; index < count; index++) {
    const key = reader.text(longestText);
    const type = reader.u32();
    const isKept = key.startsWith("general.") || key.endsWith(".context_length") || key === "tokenizer.chat_template";
    const value = isKept ? readValue(reader, type) : pass(reader, type, 0);
    if (value !== undefined) entries.set(key, value);
  }
  return entries;
}

const textType = 8;
const listType = 9;

/** Bytes of a value of each type that has a fixed size: whole numbers, floating-point numbers and booleans. */
const sizes: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [7, 1],
  [10, 8],
  [11, 8],
  [12, 8],
]);

function readValue(reader: GgufReader, type: number): string | number | undefined {
  if (type === textType) return reader.text(longestText);
  if (type === 4) return reader.u32();
  if (type === 10) return Number(reader.take(8).readBigUInt64LE());
  return pass(reader, type, 0);
}

function pass(reader: GgufReader, type: number, depth: number): undefined {
  const size = sizes.get(type);
  if (size !== undefined) reader.skip(size);
  else if (type === textType) reader.skip(reader.count());
  else if (type === listType && depth < 8) passList(reader, depth);
  else throw new GgufError(`it has a value of the unknown type ${type}`);
}

function passList(reader: GgufReader, depth: number): void {
  const type = reader.u32();
  const count = reader.count();
  const size = sizes.get(type);
  if (size !== undefined) reader.skip(size * count);
  else for (let index = 0; index < count; index++) pass(reader, type, depth + 1);
}
