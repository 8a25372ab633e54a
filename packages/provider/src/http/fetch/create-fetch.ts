import { startTimer } from "@cogency/async";
import { checkOptions } from "@cogency/protocol/options";
import { isProviderError, ProviderError } from "../../errors.ts";
import { createGrowingBytes } from "../answer/growing-bytes.ts";
import { readBody } from "../answer/read-body.ts";
import { isRedirect, redirectError } from "../errors/redirect-error.ts";
import { answerTooLarge, type CompleteLimits, completeLimits, type Limits } from "../limits.ts";
import { connectionKinds } from "../option-kinds.ts";
import { type CompleteTimeouts, completeTimeouts, duration, type Timeouts } from "../timeouts.ts";
import { isConnectTimeout, patientDispatcher } from "./patient-dispatcher.ts";
import { watchBody } from "./watch-body.ts";

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

export interface FetchOptions {
  timeouts?: Timeouts | undefined;
  /** Only `answerBytes` and `errorBytes` apply here; the reader of the body applies the others. */
  limits?: Limits | undefined;
  /** Makes the requests. Defaults to the global `fetch`. */
  fetch?: Fetch | undefined;
}

/**
 * A `fetch` with limits of time and size that follows no redirect: for the `fetch` option of an SDK, or to be called.
 *
 * In Node, the global `fetch` has limits of five minutes of its own. They do not apply here, unless the application has
 * set a global dispatcher with other options than limits: then that dispatcher is used, with its limits. A `dispatcher` in
 * the options of a request is used unchanged. The body of a refusal may be silent for five seconds at most.
 *
 * It throws a ProviderError
 * - `timeout`, which names the limit, once one of `timeouts` is reached; reading the body throws it too
 * - `answer_too_large` once one of `limits` is exceeded: for a refusal at once, for a success when the body is read
 * - `bad_response` for any redirect, because the request holds a key and a conversation. It names only the origin of the
 *   target.
 *
 * All other errors pass through unchanged.
 *
 * @throws RangeError if a limit is not greater than 0
 */
export function createFetch(options: FetchOptions = {}): Fetch {
  const { timeouts: timeoutsKind, limits: limitsKind, fetch: fetchKind } = connectionKinds;
  checkOptions<FetchOptions>("createFetch", options, { timeouts: timeoutsKind, limits: limitsKind, fetch: fetchKind });
  const { fetch: base } = options;
  const timeouts = completeTimeouts(options.timeouts);
  const limits = completeLimits(options.limits);
  return async (input, init) => {
    const host = hostOf(input);
    const controller = new AbortController();
    const expire = (problem: string) => controller.abort(new ProviderError("timeout", `${host} ${problem}`));
    const total = startTimer(timeouts.total, () =>
      expire(`did not finish its answer within ${duration(timeouts.total)}.`),
    );
    const begin = startTimer(timeouts.firstByte, () =>
      expire(`did not begin its answer within ${duration(timeouts.firstByte)}.`),
    );
    const signal = signalOf(input, init);
    const abort = () => controller.abort(signal?.reason);
    const finish = () => {
      total.stop();
      begin.stop();
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);

    let response: Response;
    try {
      controller.signal.throwIfAborted();
      const dispatcher = base ? undefined : patientDispatcher(timeouts.connect);
      const watched = { ...(dispatcher && { dispatcher }), ...init, redirect: "manual", signal: controller.signal };
      const asked = (base ?? globalThis.fetch)(input, watched as RequestInit);
      response = await unlessAborted(asked, controller.signal);
    } catch (error) {
      finish();
      throw isConnectTimeout(error) ? unreachable(host, timeouts) : error;
    }
    if (isRedirect(response)) {
      finish();
      void response.body?.cancel().catch(() => {});
      throw redirectError(host, response.status, response.headers.get("location") ?? response.url, urlOf(input));
    }
    if (!response.body) {
      finish();
      return response;
    }
    // The body of a refusal is short, and a retry should not wait long for it.
    const idle = response.ok ? timeouts.idle : Math.min(timeouts.idle, longestRefusalSilence);
    const body = watchBody(response.body, {
      signal: controller.signal,
      idle,
      limitsFirst: !response.ok,
      onBytes: createByteCounter(host, response, limits, (error) => {
        begin.stop();
        if (error) controller.abort(error);
      }),
      onIdle: () => expire(`sent nothing for ${duration(idle)}.`),
      onEnd: finish,
    });
    return copyOf(response, response.ok ? body : await readAhead(body, signal));
  };
}

/** Milliseconds for which the body of a refusal may be silent. */
const longestRefusalSilence = 5_000;

function signalOf(input: Input, init: RequestInit | undefined): AbortSignal | null | undefined {
  return init?.signal === undefined && input instanceof Request ? input.signal : init?.signal;
}

/** For a `fetch` that ignores its signal: its answer after the abort is cancelled. */
function unlessAborted(asked: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      asked.then((late) => late.body?.cancel()).catch(() => {});
    };
    signal.addEventListener("abort", abort);
    asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function urlOf(input: Input): string {
  return input instanceof Request ? input.url : String(input);
}

function hostOf(input: Input): string {
  const url = urlOf(input);
  return URL.canParse(url) ? new URL(url).host : "The server";
}

function unreachable(host: string, { connect }: CompleteTimeouts): ProviderError {
  return new ProviderError("timeout", `${host} could not be connected to within ${duration(connect)}.`);
}

/** @param onPiece called for each piece, with an error once there are too many bytes */
function createByteCounter(
  host: string,
  { ok, status }: Response,
  limits: CompleteLimits,
  onPiece: (error?: ProviderError) => void,
): (length: number) => void {
  const name = ok ? "answerBytes" : "errorBytes";
  let bytes = 0;
  return (length) => {
    bytes += length;
    onPiece(bytes > limits[name] ? answerTooLarge(host, name, limits, ok ? undefined : status) : undefined);
  };
}

/**
 * Reads the body of a refusal to its end and returns it as a new body. Otherwise an SDK would take an error while reading
 * for the server's words, and go on.
 *
 * @throws ProviderError `answer_too_large`; the signal's reason once it aborts. Any other error is passed to the reader of
 * the new body, after the bytes that came before it.
 */
async function readAhead(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const bytes = createGrowingBytes();
  let failure: unknown;
  try {
    for await (const piece of readBody(body, () => false)) bytes.append(piece);
  } catch (error) {
    const isTooLarge = isProviderError(error) && error.code === "answer_too_large";
    if (isTooLarge || signal?.aborted) throw error;
    failure = error;
  }
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes.take());
      else if (failure === undefined) controller.close();
      else controller.error(failure);
    },
  });
}

/** A new `Response`, because the body of one cannot be replaced. The constructor does not copy the address. */
function copyOf(response: Response, body: ReadableStream<Uint8Array>): Response {
  const copy = new Response(body, response);
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}
