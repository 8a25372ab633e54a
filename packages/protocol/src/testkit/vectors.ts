import type { LogEvent } from "../events.ts";
import type { Json, JsonObject } from "../json.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import type { FinishReason } from "../usage.ts";
import adversarial from "./vectors/adversarial.json" with { type: "json" };
import canonical from "./vectors/canonical.json" with { type: "json" };
import edges from "./vectors/edges.json" with { type: "json" };
import messages from "./vectors/messages.json" with { type: "json" };
import xml from "./vectors/xml.json" with { type: "json" };

/**
 * The version of the vectors, by semantic versioning: a major version changes what a conforming implementation does, a
 * minor one adds vectors.
 */
export const vectorsVersion = "3.0.0";

/** A text that a model may write, and the settled events that every parser of the protocol gives for it. */
export interface ParserVector {
  name: string;
  /** Why the vector is here. */
  why: string;
  /** Defaults to `"json"`. */
  dialect?: "json" | "xml";
  options?: { repair?: boolean; results?: "forbid" | "allow"; startIn?: "text" | "think" };
  /** How the generation ended; defaults to `"stop"`. */
  finish?: FinishReason;
  /** The text, in the pieces in which it arrives. */
  chunks: string[];
  events: VectorEvent[];
}

/** A settled event, decoded: without time, message and position. */
export type VectorEvent =
  | { type: "think" | "respond"; content: string }
  | { type: "call"; name: string; args: JsonObject }
  | { type: "execute" | "end" }
  | { type: "error"; code: string }
  | { type: "result"; content: Json };

/** A log, and the messages of the request that is assembled from it. */
export interface MessageVector {
  name: string;
  why: string;
  /** Defaults to `"json"`. */
  form?: MessageForm;
  /** Stored events without their timestamps. */
  log: WithoutTimestamp<LogEvent>[];
  messages: ModelMessage[];
}

export type WithoutTimestamp<E> = E extends unknown ? Omit<E, "timestamp"> : never;

/** `canonical`: the protocol by example. `edges`: its corners. `adversarial`: real failures of comparable systems. */
export const parserVectors = { canonical, edges, adversarial, xml } as Record<
  "canonical" | "edges" | "adversarial" | "xml",
  ParserVector[]
>;

export const messageVectors = messages as MessageVector[];
