/**
 * Where a server leaves thinking in the content of an answer:
 *
 * - `leading`: the content may begin with a block such as `<think>…</think>`, which is reasoning
 * - `begun`: the server's template has written the opening tag into the prompt, so that the content begins in the middle of the
 *   block: DeepSeek R1 and Qwen's thinking models on servers without a reasoning parser (vllm-project/vllm#12999)
 * - `none`: content is text, whatever it looks like
 */
export type ThinkBlock = "leading" | "begun" | "none";

/** How far the content has been read. */
export interface Thinking {
  readonly phase: "before" | "inside" | "behind" | "text";
  /** The tag that ends the block. */
  readonly closer: string;
  /** Text that may be the beginning of a tag. */
  readonly held: string;
}

export function beginThinking(block: ThinkBlock): Thinking {
  const [, closer = ""] = tags[0] ?? [];
  return { phase: block === "leading" ? "before" : block === "begun" ? "inside" : "text", closer, held: "" };
}

/** The text and the reasoning in a piece of the content, the reasoning first. */
export function readContent(thinking: Thinking, piece: string): [Thinking, { reasoning: string; text: string }] {
  let { phase, closer, held } = thinking;
  let rest = held + piece;
  let reasoning = "";
  if (phase === "before") {
    const content = rest.trimStart();
    const tag = tags.find(([opener]) => content.startsWith(opener));
    if (tag !== undefined) [phase, closer, rest] = ["inside", tag[1], content.slice(tag[0].length)];
    else if (tags.some(([opener]) => opener.startsWith(content)) && rest.length < longestHeld) {
      return [{ phase, closer, held: rest }, nothing];
    } else phase = "text";
  }
  if (phase === "inside") {
    const end = rest.indexOf(closer);
    if (end < 0) {
      const kept = halfTag(rest, closer);
      const read = rest.slice(0, rest.length - kept);
      return [
        { phase, closer, held: rest.slice(rest.length - kept) },
        { reasoning: read, text: "" },
      ];
    }
    reasoning = rest.slice(0, end);
    phase = "behind";
    rest = rest.slice(end + closer.length);
  }
  if (phase === "behind") {
    rest = rest.trimStart();
    if (rest !== "") phase = "text";
  }
  return [
    { phase, closer, held: "" },
    { reasoning, text: rest },
  ];
}

/** What is still held when the answer ends. */
export function endThinking({ phase, held }: Thinking): { reasoning: string; text: string } {
  return phase === "inside" ? { reasoning: held, text: "" } : { reasoning: "", text: held };
}

const nothing = { reasoning: "", text: "" };

/** The tags of models that are served without a parser: Qwen, DeepSeek and most others; Gemini; Magistral; Seed-OSS. */
const tags: readonly (readonly [opener: string, closer: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
];

/** Characters, white space among them, that are held back before it is known whether a tag begins. */
const longestHeld = 1000;

/** The length of the longest end of the text that begins the tag. */
function halfTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
