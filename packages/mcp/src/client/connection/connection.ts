import { settlesWithin, startTimer, type Timer, wait } from "@cogency/async";
import type { Client } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpEvent, McpServerOptions, McpServerState } from "../mcp-options.ts";
import type { CallInFlight, ServerLink } from "../server-link.ts";
import type { GuardedTransport } from "../transport/guard.ts";
import { backoff } from "./backoff.ts";
import { mcpErrorOf } from "./connect-problem.ts";
import { openClient } from "./open-client.ts";
import { Report, type Seen } from "./report.ts";
import { type ServerSettings, settingsOf } from "./settings.ts";

/** What a connection does with a client: the parts of `mcp` that list and answer. */
export interface ConnectionParts {
  readonly info: { readonly name: string; readonly version: string };
  /** Options of a client, such as the capabilities that it declares. */
  clientOptions(connection: Connection): ConstructorParameters<typeof Client>[1];
  /** Registers handlers, before the client connects. */
  prepare(client: Client, connection: Connection): void;
  /** Lists what the server has. Its connection is ready when it resolves. */
  list(client: Client, connection: Connection): Promise<void>;
  /** Called when it is ready. */
  ready(): void;
  emit(event: McpEvent): void;
}

/** One server: connected when it is first needed, and again after it was lost. */
export class Connection implements ServerLink {
  readonly server: string;
  readonly options: McpServerOptions;
  readonly settings: ServerSettings;
  readonly calls = new Set<CallInFlight>();
  /** How the program ended, or why the connection was cut, the last time. */
  lastEnd: string | undefined;
  private readonly parts: ConnectionParts;
  private readonly life = new AbortController();
  private current: Client | undefined;
  private readonly report: Report;
  private retry: Timer | undefined;
  private opening: Promise<void> | undefined;
  private attempt: AbortController | undefined;
  private failures = 0;
  private readyAt = 0;

  constructor(server: string, options: McpServerOptions, parts: ConnectionParts) {
    this.server = server;
    this.options = options;
    this.settings = settingsOf(options);
    this.parts = parts;
    this.report = new Report(server, options.connector, parts.emit);
  }

  get client(): Client | undefined {
    return this.current;
  }

  get inFlight(): readonly CallInFlight[] {
    return [...this.calls];
  }

  hide(text: string): string {
    return this.options.connector.hide?.(text) ?? text;
  }

  problem(error: unknown): McpError {
    return mcpErrorOf(error, this.server, (text) => this.hide(text));
  }

  state(): McpServerState {
    return this.report.state();
  }

  /** What the server has, as a person sees it. */
  show(seen: Partial<Seen>): void {
    this.report.show(seen);
  }

  /** What is wrong with one part of it, such as its tools. */
  setProblems(part: string, problems: readonly string[]): void {
    this.report.setProblems(part, problems);
  }

  /** Resolves when it is ready or will not be for now; never rejects. */
  connect(): Promise<void> {
    if (this.current || this.life.signal.aborted) return Promise.resolve();
    this.retry?.stop();
    this.opening ??= this.open().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Connects it, unless it is not yet time to try again, or only a person can help. */
  async connectIfDue(signal?: AbortSignal): Promise<void> {
    const { status, retryAt } = this.report;
    const isLater = retryAt !== undefined && Date.now() < retryAt;
    if (status === "failed" || status === "needs_login" || (isLater && !this.opening)) return;
    await Promise.race([this.connect(), aborted(signal)]);
  }

  async connected(signal?: AbortSignal): Promise<Client> {
    if (!this.current) {
      const limit = new AbortController();
      const bound = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]);
      await Promise.race([this.connectIfDue(bound), wait(longestWait, bound)]).finally(() => limit.abort());
      signal?.throwIfAborted();
    }
    if (this.current) return this.current;
    throw this.unavailable();
  }

  /** Tells the server that its folders have changed. Revisions without that message ask when they need them. */
  async tellRoots(): Promise<void> {
    if (this.current?.getProtocolEra() === "legacy") await this.current.sendRootsListChanged().catch(() => {});
  }

  /** Ends this connection because of something that the server did. */
  cut(sentence: string): void {
    this.lastEnd = `It ${sentence}, so its connection was cut`;
    this.attempt?.abort(new McpError("too_large", this.server, `The server ${this.server} ${sentence}.`));
    this.current?.close().catch(() => {});
  }

  /** Connects anew at once: the server has forgotten the session of this client. */
  async reconnect(client: Client): Promise<void> {
    if (this.current === client) {
      this.current = undefined;
      await client.close().catch(() => {});
    }
    await this.connect();
  }

  /** This client cannot reach the server any more: it is tried again later. */
  lose(client: Client, reason: string): void {
    if (this.current !== client) return;
    this.lastEnd = reason.replace(/\.$/, "");
    client.close().catch(() => {});
  }

  async close(): Promise<void> {
    if (this.life.signal.aborted) return;
    const client = this.current;
    this.current = undefined;
    this.life.abort(new McpError("closed", this.server, `The server ${this.server} was closed.`));
    this.retry?.stop();
    this.report.set("closed");
    await Promise.all([client && ended(client), this.opening]);
  }

  private async open(): Promise<void> {
    const attempt = new AbortController();
    this.attempt = attempt;
    const { connect } = this.settings.timeouts;
    const limit = startTimer(connect, () =>
      attempt.abort(
        new McpError("timeout", this.server, `The server ${this.server} did not connect in ${connect / 1000} s.`),
      ),
    );
    this.lastEnd = undefined;
    this.report.set("connecting");
    const signal = AbortSignal.any([attempt.signal, this.life.signal]);
    const opened = this.openClient(signal);
    try {
      const client = await Promise.race([opened, rejection(signal)]);
      this.watch(client, attempt);
      await Promise.race([this.parts.list(client, this), rejection(signal)]);
      this.current = client;
      this.readyAt = Date.now();
      this.report.set("ready", { client });
      this.parts.ready();
    } catch (error) {
      this.current = undefined;
      attempt.abort(error);
      const closed = opened.then((client) => client.close());
      await settlesWithin(closed, longestClose);
      this.afterFailure(this.problem(error));
    } finally {
      limit.stop();
      this.attempt = undefined;
    }
  }

  private async openClient(signal: AbortSignal): Promise<Client> {
    const { connector } = this.options;
    const { limits, timeouts } = this.settings;
    return await openClient({
      connector,
      opening: {
        server: this.server,
        signal,
        messageBytes: limits.messageBytes,
        log: (line) => this.parts.emit({ type: "log", server: this.server, level: "info", text: line }),
        breach: (sentence) => signal.aborted || this.cut(sentence),
        ended: (how) => {
          this.lastEnd ??= `Its program ended (${how})`;
        },
      },
      messagesPerMinute: limits.messagesPerMinute,
      timeout: timeouts.connect,
      info: this.parts.info,
      options: this.parts.clientOptions(this) ?? {},
      prepare: (prepared) => this.parts.prepare(prepared, this),
      fault: (sentence) => this.report.addFault(`It ${sentence}.`),
    });
  }

  private watch(client: Client, attempt: AbortController): void {
    client.onclose = () => {
      attempt.abort();
      if (this.current !== client) return;
      this.current = undefined;
      if (Date.now() - this.readyAt > longEnough) this.failures = 0;
      this.retryLater(`${this.lastEnd ?? "It ended the connection"}.`);
    };
  }

  private afterFailure(error: McpError): void {
    if (this.life.signal.aborted) return;
    const reason = this.lastEnd === undefined ? error.message : `${this.lastEnd}.`;
    if (error.code === "login_needed") this.report.set("needs_login", { reason });
    else if (this.isHopeless(error)) this.report.set("failed", { reason });
    else this.retryLater(reason);
  }

  /** A program that is not there, or that never comes up, does not come by itself. */
  private isHopeless(error: McpError): boolean {
    if (this.options.connector.kind !== "program") return false;
    const isMissing = error.code === "connect_failed" && this.lastEnd === undefined;
    return isMissing || this.failures >= mostStarts;
  }

  private retryLater(reason: string): void {
    this.failures += 1;
    const delay = backoff(this.failures);
    this.report.set("waiting", { reason, retryAt: Date.now() + delay });
    this.retry = startTimer(delay, () => void this.connect());
  }

  private unavailable(): McpError {
    const { server } = this;
    const { status, reason } = this.report;
    if (status === "closed") return new McpError("closed", server, `The server ${server} was closed.`);
    if (status === "needs_login") return new McpError("login_needed", server, `The server ${server} needs a login.`);
    if (status === "connecting")
      return new McpError("unavailable", server, `The server ${server} is still connecting. Nothing was sent.`);
    return new McpError("unavailable", server, `The server ${server} is not there: ${reason} Nothing was sent.`);
  }
}

/** Tells a server over HTTP that its session is over, where it has one, and closes the connection. */
async function ended(client: Client): Promise<void> {
  const { terminateSession } = (client.transport ?? {}) as GuardedTransport;
  if (terminateSession) await settlesWithin(Promise.resolve(terminateSession()), longestGoodbye);
  await client.close().catch(() => {});
}

/** Milliseconds for the end of a session. */
const longestGoodbye = 1000;
/** Milliseconds for the end of a connection that failed. */
const longestClose = 3000;
/** Milliseconds that a call waits for a connection that is under way. */
const longestWait = 10_000;
/** Milliseconds after which a connection counts as one that works. */
const longEnough = 30_000;
/** Starts of a program that fail one after another. */
const mostStarts = 6;

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return wait(Number.POSITIVE_INFINITY, signal);
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
