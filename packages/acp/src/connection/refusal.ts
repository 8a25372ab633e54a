import { RequestError } from "@agentclientprotocol/sdk";
import { visibleLine } from "../out/visible-text.ts";

/** Codes of JSON-RPC, and of the Agent Client Protocol. */
const codes = { invalid: -32600, params: -32602, internal: -32603, authentication: -32000, notFound: -32002 } as const;

/** An answer to a request that is refused: a sentence for the person, and a code for programs. */
export function refusal(
  kind: keyof typeof codes,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): RequestError {
  return new RequestError(codes[kind], message, data);
}

/** What an error of the host is to an editor: its message, which the host has written for the person. */
export function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = error instanceof Error && error.message !== "" ? error.message : "The agent could not do this.";
  return refusal(kinds.get(codeOf(error)) ?? "internal", message);
}

/** Runs what the host does. @throws RequestError */
export async function byHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** What an editor has sent, as a sentence holds it: short, and with nothing that a screen does not show. */
export function named(text: string): string {
  return visibleLine(JSON.stringify(text.slice(0, 100)), 120);
}

/** By their codes, as an error may be of another copy of this package. */
const kinds: ReadonlyMap<unknown, keyof typeof codes> = new Map([
  ["authentication_needed", "authentication"],
  ["request_refused", "params"],
] as const);

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
