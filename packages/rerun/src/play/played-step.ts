import type { Attachment, Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { ProviderErrorCode } from "@cogency/provider";

/** A call as the model writes it, with what came of it when it was recorded. */
export interface PlayedCall {
  readonly name: string;
  /** Defaults to no arguments. */
  readonly args?: JsonObject | undefined;
  /** The arguments as the call ran, where a hook had changed them. */
  readonly ran?: JsonObject | undefined;
  /** What the tool returned. Absent for a call whose body did not run. */
  readonly result?: Json | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** What the tool threw, in place of a result. */
  readonly error?: string | undefined;
  /** The person cancelled while it ran. Only a tool of `recordedTool` repeats that. */
  readonly cancelled?: true | undefined;
  /** What the tool asked the person before it returned. */
  readonly asks?: { readonly message: string; readonly schema?: JsonSchema | undefined } | undefined;
  /** A person at hand allowed the call, or refused it, with a reason. Absent: nobody was asked, or nobody was there. */
  readonly approved?: boolean | { readonly reason: string } | undefined;
  /** What a person at hand answered to the question of the tool. */
  readonly answered?: Json | undefined;
}

/** What the model writes in answer to one request: thinking, text, calls, in this order. A text alone is an answer. */
export interface PlayedStep {
  readonly think?: string | undefined;
  readonly text?: string | undefined;
  /** Thinking and text in another order. In place of `think` and `text`. */
  readonly parts?: readonly ({ readonly think: string } | { readonly text: string })[] | undefined;
  readonly calls?: readonly PlayedCall[] | undefined;
  /** Calls that the agent must refuse, as the model writes them. */
  readonly refused?: string | undefined;
  /** Blocks of the provider's own, such as signed reasoning. */
  readonly native?: Json | undefined;
  /** The answer has no mark of its end. */
  readonly open?: true | undefined;
  /** The answer was cut off at the output limit of the model. */
  readonly cut?: true | undefined;
  /** The provider fails after that, with this code. */
  readonly fails?: ProviderErrorCode | undefined;
  /** The person cancels after that. */
  readonly cancelled?: true | undefined;
  /** What reaches the conversation while the model writes: it is read in the next request. */
  readonly steer?: string | undefined;
}

/** The step of a text that is a whole answer. */
export function stepOf(step: string | PlayedStep): PlayedStep {
  return typeof step === "string" ? { text: step } : step;
}
