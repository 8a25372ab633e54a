import { ProviderError } from "../../errors.ts";
import { ScriptError } from "../../scripted.ts";
import { type Exchange, type Piece, type RecordedResponse, type Transcript, toBytes, toPiece } from "./transcript.ts";

export interface ReplayOptions {
  /** Whether a request must have the recorded body, byte for byte. Defaults to false: method and path must match. */
  checkBody?: boolean | undefined;
}

export interface Replay {
  readonly fetch: typeof globalThis.fetch;
  /**
   * @throws ScriptError `unexpected_request` if a request came that the transcript does not have, even if its error was
   * caught; `unused_steps` if not every recorded request was made
   */
  assertDone(): void;
}

/**
 * Plays a transcript of `recordFetch` without a network: one answer for each request, in order, in the pieces in which the
 * bytes arrived. A request that was not recorded fails with a ProviderError `bad_request`, which is not retried.
 *
 * @throws RangeError if the transcript is of another version
 */
export function replayFetch(transcript: Transcript, { checkBody = false }: ReplayOptions = {}): Replay {
  const { version, exchanges } = transcript;
  if (version !== 1) throw new RangeError(`The transcript has version ${version}; this package replays version 1.`);
  let asked = 0;
  let unexpected: ScriptError | undefined;

  return {
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const index = asked++;
      const body = toPiece(new Uint8Array(await request.arrayBuffer()));
      const exchange = exchanges[index];
      const problem = disagreement(request, checkBody ? body : undefined, exchange);
      if (problem || !exchange) {
        unexpected ??= new ScriptError("unexpected_request", `Request ${index + 1} of ${exchanges.length}: ${problem}`);
        throw new ProviderError("bad_request", unexpected.message);
      }
      if (!exchange.response) throw new TypeError("The recorded request failed without an answer.");
      return answer(exchange.response, request.signal);
    },
    assertDone() {
      if (unexpected) throw unexpected;
      const unused = exchanges.length - asked;
      if (unused === 0) return;
      throw new ScriptError("unused_steps", `${unused} of ${exchanges.length} recorded requests were never made.`);
    },
  };
}

function disagreement(
  { method, url }: Request,
  body: Piece | undefined,
  exchange: Exchange | undefined,
): string | undefined {
  const asked = `${method} ${new URL(url).pathname}`;
  if (!exchange) return `${asked} came, but the transcript is over.`;
  const recorded = `${exchange.request.method} ${exchange.request.path}`;
  if (asked !== recorded) return `${asked} came where the transcript has ${recorded}.`;
  if (body === undefined || same(body, exchange.request.body ?? "")) return undefined;
  return `${asked} came with another body than the recorded one: ${firstDifference(body, exchange.request.body ?? "")}`;
}

function same(one: Piece, other: Piece): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function firstDifference(sent: Piece, recorded: Piece): string {
  const [a, b] = [sent, recorded].map((piece) => (typeof piece === "string" ? piece : piece.base64)) as [
    string,
    string,
  ];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `at ${at}, ${around(a)} where ${around(b)} was recorded.`;
}

function answer(recorded: RecordedResponse, signal: AbortSignal): Response {
  const { status, headers } = recorded;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? play(recorded, signal) : null, { status, headers });
}

function play({ body, end }: RecordedResponse, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pieces = body.values();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = pieces.next();
        if (signal.aborted) controller.error(signal.reason);
        else if (!done) controller.enqueue(toBytes(value));
        else if (end === "complete") controller.close();
        else if (end === "broken") controller.error(new TypeError("terminated"));
        else controller.error(new ProviderError("bad_request", leftMessage));
      },
    },
    { highWaterMark: 0 },
  );
}

const leftMessage = "The recorded answer was not read beyond this point, so the transcript does not have the rest.";
