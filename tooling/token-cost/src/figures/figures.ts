import type { Form } from "../conversation/reply.ts";
import type { Kind } from "../conversation/script.ts";
import type { WayName } from "../ways.ts";

/** Tokens of the requests of one turn. */
export interface TurnFigures {
  /** What the client has sent. */
  readonly sent: number;
  /** What the model has read: what was sent, and what a session remembers. This is what is billed. */
  readonly input: number;
  /** What of `input` the server has read from its cache. */
  readonly cached: number;
  /** What of `input` it has written there. */
  readonly written: number;
  /** Bytes that the client has sent. */
  readonly bytes: number;
}

/** One conversation over one way, turn by turn. Its first turns are the figures of a shorter one. */
export interface ConversationFigures {
  readonly kind: Kind;
  readonly way: WayName;
  readonly turns: readonly TurnFigures[];
}

/** What a form costs in a chat over Chat Completions with OpenAI's cache. */
export interface FormFigures {
  readonly form: Form;
  /** Tokens of the system prompt and the tools, without the instructions. */
  readonly fixed: number;
  /** Tokens that a turn adds to later requests, by a model that does not think, beyond its bare texts. */
  readonly turn: number;
  /** Tokens that the thoughts of a turn add to later requests. */
  readonly thoughts: number;
  /** Of all turns, thoughts included. */
  readonly input: number;
  readonly cost: number;
}

/** All that is measured. The same code gives the same figures on any machine. */
export interface Figures {
  readonly conversations: readonly ConversationFigures[];
  readonly forms: readonly FormFigures[];
}

/** How long the longest conversation is, and those whose figures are shown. */
export const lengths = [8, 16, 32] as const;
export const longest = 32;
