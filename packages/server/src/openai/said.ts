import type { Attachment, JsonObject, ToolSpec } from "@cogency/protocol";

/** What a request asks for, read from either wire. Nothing of it is believed: it is what a client says. */
export interface Asked {
  readonly model: string;
  readonly isStreamed: boolean;
  /** The field of the body that holds `said`, for errors. */
  readonly param: "messages" | "input";
  /** The conversation as the client tells it, or what it adds to one that is kept here. */
  readonly said: readonly Said[];
  /** The tools that the client runs itself. Empty if the model may call none. */
  readonly tools: readonly ToolSpec[];
  /** The conversation that the client names. */
  readonly conversation?: string;
  /** The id of the response that the request goes on from. */
  readonly previous?: string;
}

/** One thing in the history of a client. `param` is its place in the body, for errors. */
export type Said =
  /** A system or developer message: words of the client. */
  | { readonly type: "instructions"; readonly text: string }
  | SaidWords
  | { readonly type: "reply"; readonly text: string }
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      readonly param: string;
    }
  | SaidOutput
  | SaidDecision
  | SaidReference;

/** Something that an answer of ours held, by its id on the wire. */
export interface SaidReference {
  readonly type: "reference";
  readonly id: string;
  readonly param: string;
}

export interface SaidWords {
  readonly type: "words";
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** What came of a call. `call` is the id of the call, as the wire has it. */
export interface SaidOutput {
  readonly type: "output";
  readonly call: string;
  readonly output: string;
  readonly param: string;
}

/** A person's answer to a question for approval. `request` is its id, as the wire has it. */
export interface SaidDecision {
  readonly type: "decision";
  readonly request: string;
  readonly isApproved: boolean;
  readonly reason?: string;
  readonly param: string;
}
