import { ClientError, isPassing } from "../client-error.ts";
import { noStreams, type Requests } from "../http/requests.ts";
import { backoff } from "./backoff.ts";
import { EventParser, type ServerEvent } from "./event-parser.ts";
import { listen } from "./reachability.ts";

/**
 * - `connecting`: not open yet, or the server is not ready; it is tried again by itself
 * - `open`: what the server sends arrives. It stays so while a connection that ended is made again at once
 * - `offline`: the network or the server is away; it is tried again by itself, and when the platform says that the network is back
 * - `failed`: the server refuses, and trying again by itself would not help
 */
export type ConnectionState = "connecting" | "open" | "offline" | "failed";

export interface ConnectionOptions {
  requests: Requests;
  /** The address of the stream, behind the one of the server. */
  path: string;
  /** The number of the last event that the reader has, for `Last-Event-ID`; 0 for none. */
  after(): number;
  /** The server answers: events follow. */
  onOpen(): void;
  /** Events that came at one moment. Throws a ClientError for what is none. */
  onEvents(events: readonly ServerEvent[]): void;
  /** The reader is beyond the log, which was deleted. It begins again at 0. */
  onDeleted(): void;
  onState(state: ConnectionState, error: ClientError | undefined): void;
}

/** A stream of server-sent events that is kept open: what breaks is connected again, with the number of the last event. */
export class Connection {
  readonly #options: ConnectionOptions;
  #isOpen = false;
  /** Ends the loop. */
  #current: AbortController | undefined;
  /** Ends the connection that the loop has. */
  #attempt: AbortController | undefined;
  /** Ends the pause between two tries. */
  #wake: (() => void) | undefined;
  #endListening: (() => void) | undefined;
  #base = 1000;
  /** When something came last. */
  #heardAt = 0;
  /** The connection is made anew on purpose. */
  #isRestarting = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#endListening = listen({
      onOnline: () => this.restart(),
      onOffline: () => this.#options.onState("offline", undefined),
      onVisible: () => {
        if (this.#wake || Date.now() - this.#heardAt > freshness) this.restart();
      },
    });
    void this.#run(new AbortController());
  }

  close(): void {
    this.#isOpen = false;
    this.#endListening?.();
    this.#current?.abort();
    this.#attempt?.abort();
    this.#wake?.();
  }

  /** Connects now, and anew if the connection is open. */
  restart(): void {
    if (!this.#isOpen) return;
    if (this.#wake) this.#options.onState("connecting", undefined);
    this.#isRestarting = true;
    this.#attempt?.abort();
    this.#wake?.();
  }

  async #run(current: AbortController): Promise<void> {
    this.#current = current;
    const { signal } = current;
    const { onState, onDeleted } = this.#options;
    let failures = 0;
    let wasDeleted = false;
    while (!signal.aborted) {
      const { isOpened, hasProgress, error } = await this.#connect(signal);
      if (signal.aborted) return;
      if (error?.status === 409 && !isOpened && !wasDeleted) {
        wasDeleted = true;
        onDeleted();
        continue;
      }
      if (isOpened) wasDeleted = false;
      failures = hasProgress || this.#isRestarting ? 0 : failures + 1;
      const isFinal = error && !isOpened && !isPassing(error);
      if (isFinal) onState("failed", error);
      else if (error && failures > (isOpened ? 1 : 0) && !this.#isRestarting)
        onState(error.status === 0 ? "offline" : "connecting", error);
      await this.#pause(isFinal ? undefined : Math.max(backoff(failures, this.#base), error?.retryAfter ?? 0));
    }
  }

  /** Waits; without a time, until somebody wants to connect. */
  #pause(time: number | undefined): Promise<void> {
    if (this.#isRestarting) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = time === undefined ? undefined : setTimeout(() => this.#wake?.(), time);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Makes one connection, and reads it to its end. Never rejects. */
  async #connect(signal: AbortSignal): Promise<Ending> {
    this.#isRestarting = false;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const { requests, path, after, onOpen, onState } = this.#options;
    const startedAt = Date.now();
    let isOpened = false;
    let hasProgress = false;
    let quiet: ReturnType<typeof setInterval> | undefined;
    try {
      const last = after();
      const headers = { accept: "text/event-stream", ...(last > 0 && { "last-event-id": `${last}` }) };
      const response = await requests.stream(path, { headers, signal: attempt.signal });
      const reader = readerOf(response);
      if (signal.aborted || attempt.signal.aborted)
        throw new ClientError("unreachable", "The connection was given up.");
      isOpened = true;
      this.#heardAt = Date.now();
      quiet = setInterval(() => {
        if (Date.now() - this.#heardAt > longestQuiet) attempt.abort();
      }, longestQuiet / 4);
      onOpen();
      onState("open", undefined);
      await this.#read(reader, attempt.signal, () => {
        hasProgress = true;
      });
      return { isOpened, hasProgress: hasProgress || Date.now() - startedAt > lived };
    } catch (error) {
      const problem =
        error instanceof ClientError
          ? error
          : new ClientError("unreachable", "The connection broke.", { cause: error });
      return { isOpened, hasProgress: isOpened && (hasProgress || Date.now() - startedAt > lived), error: problem };
    } finally {
      clearInterval(quiet);
      attempt.abort();
    }
  }

  async #read(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<void> {
    const decoder = new TextDecoder();
    const parser = new EventParser();
    const cancel = () => void reader.cancel().catch(() => {});
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        this.#heardAt = Date.now();
        const events = parser.write(decoder.decode(value, { stream: true }));
        this.#base = Math.min(parser.retry ?? this.#base, longestBase);
        if (events.length === 0) continue;
        this.#options.onEvents(events);
        this.#options.onState("open", undefined);
        onProgress();
      }
    } finally {
      cancel();
    }
  }
}

interface Ending {
  isOpened: boolean;
  /** Events came, or it was open for a while. */
  hasProgress: boolean;
  /** Undefined if the server ended the stream. */
  error?: ClientError;
}

/** @throws ClientError */
function readerOf({ headers, body, status }: Response): ReadableStreamDefaultReader<Uint8Array> {
  const type = headers.get("content-type") ?? "";
  if (!/^text\/event-stream\s*(;|$)/i.test(type)) {
    void body?.cancel().catch(() => {});
    throw new ClientError(
      "bad_response",
      `There are no conversations at this address: it answered with ${type.slice(0, 60) || "no content type"}. Give createClient the \`url\` of the server.`,
      { status },
    );
  }
  if (typeof body?.getReader === "function") return body.getReader();
  throw noStreams();
}

/** Milliseconds without a byte after which a connection counts as broken. The server sends a comment every 15 s. */
const longestQuiet = 45_000;

/** Milliseconds without a byte after which a page that is seen again connects anew. */
const freshness = 20_000;

/** Milliseconds after which a connection without events counts as one that worked. */
const lived = 5000;

/** The most milliseconds that a server can make us wait for after a first failure. */
const longestBase = 30_000;
