import type { Json } from "@cogency/protocol";
import {
  type ClientCapabilities,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import type { ClientInputs } from "./asking/client-inputs.ts";
import { type McpCallHost, McpHostError } from "./call-host.ts";
import type { HeldContent } from "./held-content.ts";

/** One request of a client, while it is served. */
export interface Serving {
  readonly inputs: ClientInputs;
  readonly host: McpCallHost;
  /** Tells the client about the progress of a call. */
  tell(update: Json): void;
  readonly held: HeldContent;
  /** What stands for the conversation of the client: its session or connection, or the rounds of one request. */
  readonly conversation: string;
  /** What the client is asked for, if the request ends with that. */
  asked(): Promise<InputRequiredResult | undefined>;
}

/**
 * Runs the body of a prompt or a resource, which may end with what it asks for.
 *
 * @throws ProtocolError where revision 2026-07-28 has an error of its own for what the client lacks
 */
export async function orAsked<Result>(
  { host, asked }: Serving,
  body: () => Promise<Result>,
): Promise<Result | InputRequiredResult> {
  try {
    const result = await Promise.race([body(), whenAborted(host.signal)]);
    return (await asked()) ?? result;
  } catch (error) {
    const wanted = await asked();
    if (wanted) return wanted;
    throw lacksCapability(error, host.revision) ?? error;
  }
}

/** The error of the protocol for something that the client does not offer. */
export function lacksCapability(error: unknown, revision: string): Error | undefined {
  if (!(error instanceof McpHostError) || !error.needs || revision < firstModern) return undefined;
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: error.needs as ClientCapabilities },
    error.message,
  );
}

const firstModern = "2026-07-28";

/** Rejects with the reason of the signal. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
