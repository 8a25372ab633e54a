import { isProviderError, type ProviderError, type ProviderErrorCode } from "@cogency/provider";
import type { RunError } from "../errors.ts";
import type { RunResult } from "../run.ts";

/** Why a run failed, in words for a person, and what whoever goes on with it should do. */
export interface Failure {
  readonly code: string;
  /** What happened, for the person who waits: no text of a server, and no key. */
  readonly says: string;
  /**
   * - `again`: the cause passes by itself, so the conversation is tried again for as long as it lasts
   * - `refused`: somebody has to mend it. Tried again `attempts` times, and then the conversation is parked
   * - `key`: as `refused`, with twice as many tries: a key that is exchanged may need some minutes to count
   * - `own`: another try of this conversation fails in the same way, until a message changes it. Tried again only if a prompt waits, as
   *   `refused` is
   */
  readonly kind: "again" | "refused" | "key" | "own";
  /** Milliseconds until the server wants to be asked again. */
  readonly retryAfter?: number;
}

/** The failure of a run; undefined if it did not fail, or if there is nothing to tell the person: the store or another run is in the way. */
export function failureOf({ error }: Pick<RunResult, "error">): Failure | undefined {
  if (!error) return undefined;
  if (error.code === "provider") return failureOfProvider(providerErrorIn(error));
  const says = ownFailures[error.code];
  return says === undefined ? undefined : { code: error.code, says, kind: "own" };
}

function failureOfProvider(error: ProviderError | undefined): Failure {
  if (!error) return { code: "provider", says: unknownFailure, kind: "refused" };
  const { retryable, retryAfter } = error;
  const code = error.code === "rate_limit" && !retryable ? "quota" : error.code;
  return {
    code,
    says: providerFailures[code] ?? unknownFailure,
    kind: retryable ? "again" : keyFailures.has(code) ? "key" : "refused",
    ...(retryAfter !== undefined && { retryAfter: retryAfter * 1000 }),
  };
}

/** What the provider threw, also where a later failure came with it. */
function providerErrorIn(error: RunError): ProviderError | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (isProviderError(cause)) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** By the code of the `ProviderError`; `quota` is a `rate_limit` that does not pass by itself. */
export const providerFailures: Readonly<Record<ProviderErrorCode | "quota", string>> = {
  rate_limit: "The server of the model gets too many requests.",
  overloaded: "The server of the model is too busy.",
  server: "The server of the model has failed.",
  connection: "The server of the model cannot be reached.",
  timeout: "The server of the model did not answer in time.",
  cut_stream: "The answer of the model broke off.",
  missing_key: "This service has no key for the server of the model.",
  authentication: "The server of the model does not accept the key of this service.",
  permission: "The server of the model does not permit this request.",
  not_found: "The server of the model does not know the model, or its address is wrong.",
  quota: "What this service may use at the server of the model is used up.",
  bad_request: "The server of the model refuses the request.",
  bad_response: "The answer of the server cannot be read.",
  answer_too_large: "The answer of the model was too long.",
  insecure: "The address of the model's server would show the key of this service to others.",
  unsupported: "The model cannot do what the conversation asks for.",
};

/** What a key brings about that is not there yet, or does not count yet or any more. */
const keyFailures: ReadonlySet<string> = new Set(["missing_key", "authentication", "permission"]);

/** By the code of the `RunError`. */
export const ownFailures: Readonly<Partial<Record<RunError["code"], string>>> = {
  attachments: "The conversation holds an attachment that the model does not take, or too much of them.",
  context_overflow: "The conversation is too long for the model.",
  no_progress: "Several answers of the model in a row could not be used.",
  driver: "The run failed inside this service.",
  hook: "The run failed inside this service.",
  prompt_refused: "This service refused the message.",
  tool: "A tool failed.",
  key_ring: "This service cannot sign the conversation.",
};

const unknownFailure = "The model could not be asked.";
