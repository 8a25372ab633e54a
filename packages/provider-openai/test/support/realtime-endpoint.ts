import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest, Session } from "@cogency/provider";
import { completeLimits, type Limits, redactor, type Timeouts } from "@cogency/provider/http";
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import type { Endpoint } from "../../src/endpoint/endpoint.ts";
import type { RealtimeOptions } from "../../src/realtime/session.ts";
import { realtimeConnect } from "../../src/realtime/stream.ts";
import { type RealtimeServer, realtimeServer, type ServerOptions } from "./realtime-server.ts";

export const said: ModelMessage[] = [
  { role: "user", content: "Hello." },
  { role: "assistant", content: "Hello, you." },
];
export const request: ModelRequest = { system: "Be brief.", messages: said };

/** If it is ever seen outside a header of the request, a key has leaked. */
export const canary = "sk-canary-of-the-realtime-tests";

export function endpointOf(
  url: URL,
  timeouts: Timeouts = {},
  headers: Record<string, string> = {},
  limits: Limits = {},
): Endpoint {
  return {
    client: new OpenAI({ baseURL: url.href, apiKey: canary, organization: null, project: null }),
    url,
    apiKey: canary,
    headers,
    timeouts,
    limits: completeLimits(limits),
    name: "openai",
    model: "gpt-realtime",
    flavor: { limitField: "max_completion_tokens", echoReasoning: false, thinkBlock: "none" },
    redact: redactor([canary, ...Object.values(headers)]),
  };
}

export interface SessionSettings extends ServerOptions {
  request?: ModelRequest;
  timeouts?: Timeouts;
  limits?: Limits;
  options?: RealtimeOptions;
}

/** A session with a server of its own, both closed when the test is over. */
export async function openSession(
  settings: SessionSettings = {},
): Promise<{ session: Session; server: RealtimeServer }> {
  const server = await realtimeServer(settings);
  const options = { retryDelay: 1, ...settings.options };
  const connect = realtimeConnect(endpointOf(server.url, settings.timeouts, {}, settings.limits), options);
  const session = await connect(settings.request ?? request);
  onTestFinished(() => session.close());
  return { session, server };
}

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
