import { Client, type ClientOptions, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import type { Connector, Opening } from "../connector.ts";
import { guard } from "../transport/guard.ts";
import { networkCode, statusOf } from "./connect-problem.ts";

export interface ClientSetup {
  readonly connector: Connector;
  readonly opening: Opening;
  readonly messagesPerMinute: number;
  /** Milliseconds for connecting. */
  readonly timeout: number;
  readonly info: { readonly name: string; readonly version: string };
  readonly options: ClientOptions;
  /** Registers handlers, before it connects. */
  prepare(client: Client): void;
  fault(sentence: string): void;
}

/**
 * Connects a client over the first transport that the server speaks.
 *
 * @throws what the last transport failed with
 */
export async function openClient(setup: ClientSetup): Promise<Client> {
  const { connector, opening } = setup;
  let failure: unknown = new Error("there is no way to it");
  let isFirst = true;
  for await (const transport of connector.transports(opening)) {
    const client = clientFor(setup, isFirst);
    const end = () => void transport.close().catch(() => {});
    opening.signal.addEventListener("abort", end, { once: true });
    try {
      opening.signal.throwIfAborted();
      await client.connect(guarded(transport, setup), { timeout: setup.timeout, signal: opening.signal });
      opening.signal.throwIfAborted();
      return client;
    } catch (error) {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      if (isFirst) failure = error;
      if (opening.signal.aborted || !mayDiffer(error, connector.kind)) throw failure;
      isFirst = false;
    } finally {
      opening.signal.removeEventListener("abort", end);
    }
  }
  throw failure;
}

function clientFor({ connector, timeout, info, options, prepare }: ClientSetup, isFirst: boolean): Client {
  // Something that does not answer its first question is an older server, or one that is still being installed.
  const probe = connector.kind === "program" && { probe: { timeoutMs: Math.ceil(timeout / 2) } };
  const client = new Client(info, {
    ...options,
    versionNegotiation: isFirst ? { mode: "auto", ...probe } : { mode: "legacy" },
  });
  prepare(client);
  return client;
}

function guarded(transport: Transport, { messagesPerMinute, fault, opening }: ClientSetup): Transport {
  return guard(transport, { messagesPerMinute, fault, breach: opening.breach });
}

/** Whether the next transport may succeed where one has failed in this way. */
function mayDiffer(error: unknown, kind: Connector["kind"]): boolean {
  if (kind === "http") {
    const status = statusOf(error) ?? 0;
    return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  }
  const isEnd = error instanceof SdkError && endings.includes(error.code);
  return isEnd && networkCode(error) === undefined;
}

const endings: readonly string[] = [SdkErrorCode.ConnectionClosed, SdkErrorCode.EraNegotiationFailed];
