import { writeFileSync } from "node:fs";

/** What the weights of a model are made from. */
export interface RandomModel {
  /** Defaults to 1. */
  seed?: number;
  /** Tokens that the model takes. Defaults to 16,384. */
  contextLength?: number;
  /** The chat template, in Jinja. Defaults to none. */
  template?: string;
  /** About what is added to the logits of these tokens: of the byte of a character, or of `</s>`, which ends an answer. */
  favours?: Readonly<Record<string, number>>;
  /** Further tokens, such as the tags of a template's thoughts. */
  tokens?: readonly string[];
  /** A text that the model tends to spell: each of its characters makes those likely that follow it. */
  spells?: string;
}

const width = 32;
const hidden = 64;
const bytesAndMarks = ["<unk>", "<s>", "</s>", ...Array.from({ length: 256 }, (_, byte) => byteToken(byte))];

/** Writes a model of the llama architecture with one layer, whose tokens are bytes and whose weights are random numbers. About 115 kB. */
export function writeRandomModel(
  path: string,
  { seed = 1, contextLength = 16_384, template, tokens = [], favours = {}, spells = "" }: RandomModel = {},
): void {
  const vocabulary = [...bytesAndMarks, ...tokens];
  const indexOf = (token: string) => vocabulary.indexOf(token.length === 1 ? byteToken(token.charCodeAt(0)) : token);
  const random = randomNumbers(seed);
  const bytes: Uint8Array[] = [];
  const text = (value: string): Uint8Array => {
    const encoded = Buffer.from(value);
    return Buffer.concat([u64(encoded.length), encoded]);
  };
  const entry = (key: string, type: number, value: Uint8Array): Uint8Array =>
    Buffer.concat([text(key), u32(type), value]);
  const list = (type: number, values: Uint8Array[]): Uint8Array =>
    Buffer.concat([u32(type), u64(values.length), ...values]);
  const entries = [
    entry("general.architecture", 8, text("llama")),
    entry("general.name", 8, text("random")),
    entry("llama.block_count", 4, u32(1)),
    entry("llama.context_length", 4, u32(contextLength)),
    entry("llama.embedding_length", 4, u32(width)),
    entry("llama.feed_forward_length", 4, u32(hidden)),
    entry("llama.attention.head_count", 4, u32(1)),
    entry("llama.attention.head_count_kv", 4, u32(1)),
    entry("llama.attention.layer_norm_rms_epsilon", 6, f32(1e-5)),
    entry("llama.rope.dimension_count", 4, u32(width)),
    entry("tokenizer.ggml.model", 8, text("llama")),
    entry("tokenizer.ggml.tokens", 9, list(8, vocabulary.map(text))),
    entry(
      "tokenizer.ggml.scores",
      9,
      list(
        6,
        vocabulary.map(() => f32(0)),
      ),
    ),
    entry(
      "tokenizer.ggml.token_type",
      9,
      list(
        5,
        vocabulary.map((_, index) => u32(kindOf(index))),
      ),
    ),
    entry("tokenizer.ggml.bos_token_id", 4, u32(1)),
    entry("tokenizer.ggml.eos_token_id", 4, u32(2)),
    entry("tokenizer.ggml.unknown_token_id", 4, u32(0)),
    ...(template === undefined ? [] : [entry("tokenizer.chat_template", 8, text(template))]),
  ];
  const tensors: [name: string, shape: number[]][] = [
    ["token_embd.weight", [width, vocabulary.length]],
    ["output_norm.weight", [width]],
    ["output.weight", [width, vocabulary.length]],
    ["blk.0.attn_norm.weight", [width]],
    ["blk.0.attn_q.weight", [width, width]],
    ["blk.0.attn_k.weight", [width, width]],
    ["blk.0.attn_v.weight", [width, width]],
    ["blk.0.attn_output.weight", [width, width]],
    ["blk.0.ffn_norm.weight", [width]],
    ["blk.0.ffn_gate.weight", [width, hidden]],
    ["blk.0.ffn_up.weight", [width, hidden]],
    ["blk.0.ffn_down.weight", [hidden, width]],
  ];
  bytes.push(Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(entries.length), ...entries);
  let offset = 0;
  for (const [name, shape] of tensors) {
    bytes.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += aligned(4 * shape.reduce((one, other) => one * other));
  }
  const head = Buffer.concat(bytes);
  const favoured = new Map(Object.entries(favours).map(([token, logit]) => [indexOf(token), logit]));
  const data = tensors.map(([name, shape]) => {
    const count = shape.reduce((one, other) => one * other);
    const isNorm = shape.length === 1;
    const values = Float32Array.from({ length: count }, () => (isNorm ? 6 : random() * 0.8 - 0.4));
    // The first of the numbers that stand for a token is large, and the same for all: it carries what is favoured, past the layer.
    if (isNorm) values[0] = name === "output_norm.weight" ? 1 : 0;
    for (const token of vocabulary.keys()) {
      if (name === "token_embd.weight") values[token * width] = 20;
      if (name === "output.weight") values[token * width] = (favoured.get(token) ?? 0) / Math.sqrt(width);
    }
    const spelled = [...new Set(spells)];
    for (const [index, character] of spelled.entries()) {
      // Each of the characters has a number of its own, which makes likely what may follow.
      const place = index + 1;
      if (name.endsWith("norm.weight")) values[place] = name === "output_norm.weight" ? 1 : 0;
      for (const token of vocabulary.keys()) {
        const follows = spells.split(character).some((rest, at) => at > 0 && indexOf(rest.charAt(0)) === token);
        if (name === "token_embd.weight") values[token * width + place] = token === indexOf(character) ? 20 : 0;
        if (name === "output.weight") values[token * width + place] = follows ? 4 : 0;
      }
    }
    return padded(new Uint8Array(values.buffer));
  });
  writeFileSync(path, Buffer.concat([padded(head), ...data]));
}

/** As GGUF counts the kinds: unknown, control, byte, and for further tokens user-defined. */
function kindOf(index: number): number {
  if (index >= bytesAndMarks.length) return 4;
  return index === 0 ? 2 : index < 3 ? 3 : 6;
}

function byteToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function aligned(length: number): number {
  return Math.ceil(length / 32) * 32;
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
}

/** Mulberry32: numbers from 0 to below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
