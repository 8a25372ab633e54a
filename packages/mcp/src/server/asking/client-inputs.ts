import type { Json, JsonObject } from "@cogency/protocol";

/** What the client of one request is asked for, on behalf of that request. */
export interface ClientInputs {
  readonly can: ClientAbilities;
  /**
   * Asks the client, and resolves with an answer that `read` takes.
   *
   * @param key names the input within the request
   * @throws McpHostError; in a round that ends with what it asks for, the promise rejects when the round is left
   */
  request<Value>(key: string, input: InputAsked<Value>): Promise<Value>;
  /** What an earlier run of the same request has kept. */
  kept(key: string): Json | undefined;
  /** Keeps a value for the next run of the same request. */
  keep(key: string, value: Json): void;
}

export interface ClientAbilities {
  readonly elicit: boolean;
  readonly sample: boolean;
  readonly roots: boolean;
}

export interface InputAsked<Value> {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
  /** The answer counts only if the server has asked for it before. For questions whose answer permits something. */
  readonly isBinding: boolean;
  /** What the answer says, or why it does not fit. Answers are untrusted. */
  read(answer: unknown): Reading<Value> | Promise<Reading<Value>>;
}

export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

/** Requests to the client that one request of it may make. */
export const mostInputs = 100;
