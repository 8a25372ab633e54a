import { ProviderError } from "../../errors.ts";
import { createGrowingBytes } from "../answer/growing-bytes.ts";
import { readBody } from "../answer/read-body.ts";
import { isRedirect, redirectError } from "../errors/redirect-error.ts";
import { answerTooLarge, type CompleteLimits, completeLimits, type Limits } from "../limits.ts";
import { type CompleteTimeouts, completeTimeouts, duration, type Timeouts } from "../timeouts.ts";
import { startTimer } from "../timer.ts";
import { isConnectTimeout, patientDispatcher } from "./patient-dispatcher.ts";
import { watchBody } from "./watch-body.ts";

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

export interface FetchOptions {
  timeouts?: Timeouts | undefined;
  /** Of these `answerBytes` and `errorBytes` are kept here; the others are those of whoever reads the body. */
  limits?: Limits | undefined;
  /** Makes the requests; the global `fetch` by default. */
  fetch?: Fetch | undefined;
}

/**
 * A `fetch` with limits to time and size, which follows no redirect: for the `fetch` option of an SDK, or to be called.
 *
 * In Node the limits of five minutes that the global `fetch` has of itself are taken away, unless the application has
 * set a global dispatcher of its own, with more than other limits: then that one is used, and its limits hold too. A
 * `dispatcher` in the options of a request is used as it is. The body of a refusal gets five seconds of silence at most.
 *
 * It throws a ProviderError
 * - `timeout`, which names the limit, once one of `timeouts` is reached; so does reading the body
 * - `answer_too_large` once one of `limits` is exceeded: for a refusal at once, for a success when the body is read
 * - `bad_response` for a redirect, wherever it leads: the request holds a key and a conversation. It names the origin of
 *   the target and nothing more of it.
 *
 * Everything else that is thrown passes unchanged.
 *
 * @throws RangeError if a limit is not more than 0
 */
export function createFetch(options: FetchOptions = {}): Fetch {
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
    // The words of a refusal are short, and what is to be done about it should not wait for them.
    const idle = response.ok ? timeouts.idle : Math.min(timeouts.idle, refusalPatience);
    const body = watchBody(response.body, {
      signal: controller.signal,
      idle,
      isImpatient: !response.ok,
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

/** Milliseconds that the body of an answer that is no success may keep silent. */
const refusalPatience = 5_000;

function signalOf(input: Input, init: RequestInit | undefined): AbortSignal | null | undefined {
  return init?.signal === undefined && input instanceof Request ? input.signal : init?.signal;
}

/** For a `fetch` that does not follow its signal: what it answers after the abort is given up. */
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

/** @param tell called at each piece, with an error if there are too many bytes by now */
function createByteCounter(
  host: string,
  { ok, status }: Response,
  limits: CompleteLimits,
  tell: (error?: ProviderError) => void,
): (length: number) => void {
  const name = ok ? "answerBytes" : "errorBytes";
  let bytes = 0;
  return (length) => {
    bytes += length;
    tell(bytes > limits[name] ? answerTooLarge(host, name, limits, ok ? undefined : status) : undefined);
  };
}

/**
 * The body of a refusal, read already: the SDKs take what its reading fails with for the server's words, and go on.
 *
 * @throws ProviderError `answer_too_large`; and the signal's reason once that aborts. What else its reading fails with
 * its reader gets after what came before it.
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
    const isTooLarge = error instanceof ProviderError && error.code === "answer_too_large";
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

/** A `Response` cannot be given another body, and one that is made anew does not know its address. */
function copyOf(response: Response, body: ReadableStream<Uint8Array>): Response {
  const copy = new Response(body, response);
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}
