import { settlesWithin, startTimer, type Timer, wait } from "@cogency/async";
import type { Client } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpEvent, McpServerOptions, McpServerState, McpServerStatus } from "../mcp-options.ts";
import type { CallInFlight, ServerLink } from "../server-link.ts";
import { oneLine } from "../text/plain-text.ts";
import { backoff } from "./backoff.ts";
import { mcpErrorOf } from "./connect-problem.ts";
import { openClient } from "./open-client.ts";
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
  private status: McpServerStatus = "waiting";
  private reason: string | undefined = "It is connected when it is first used.";
  private retryAt: number | undefined;
  private retry: Timer | undefined;
  private opening: Promise<void> | undefined;
  private attempt: AbortController | undefined;
  private failures = 0;
  private readyAt = 0;
  private readonly problems = new Map<string, readonly string[]>();
  private seen: Pick<McpServerState, "tools" | "prompts" | "resources"> = { tools: [], prompts: [], resources: 0 };

  constructor(server: string, options: McpServerOptions, parts: ConnectionParts) {
    this.server = server;
    this.options = options;
    this.settings = settingsOf(options);
    this.parts = parts;
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
    const { kind, identity } = this.options.connector;
    const client = this.current;
    const version = client?.getServerVersion();
    return {
      name: this.server,
      status: this.status,
      ...(this.reason !== undefined && { reason: this.reason }),
      ...(this.retryAt !== undefined && { retryAt: this.retryAt }),
      ...(client && { protocol: client.getNegotiatedProtocolVersion() }),
      ...(version && { title: oneLine(version.title ?? version.name, 100), version: oneLine(version.version, 50) }),
      kind,
      identity,
      ...this.seen,
      problems: [...this.problems.values()].flat(),
    };
  }

  /** What the server has, as a person sees it. */
  show(seen: Partial<Pick<McpServerState, "tools" | "prompts" | "resources">>): void {
    this.seen = { ...this.seen, ...seen };
    if (this.status === "ready") this.tell();
  }

  /** Sets what is wrong with one part of it, such as its tools. */
  setProblems(part: string, problems: readonly string[]): void {
    this.problems.set(part, problems.slice(0, mostProblems));
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
    const isLater = this.retryAt !== undefined && Date.now() < this.retryAt;
    if (this.status === "failed" || this.status === "needs_login" || (isLater && !this.opening)) return;
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

  /** Ends this connection because of something that the server did. */
  cut(sentence: string): void {
    this.lastEnd = `It ${sentence}, so its connection was cut`;
    this.attempt?.abort(new McpError("too_large", this.server, `The server ${this.server} ${sentence}.`));
    this.current?.close().catch(() => {});
  }

  /** Connects anew at once: the server has forgotten the session. */
  async reconnect(): Promise<void> {
    const client = this.current;
    this.current = undefined;
    await client?.close().catch(() => {});
    await this.connect();
  }

  async close(): Promise<void> {
    if (this.life.signal.aborted) return;
    const client = this.current;
    this.current = undefined;
    this.life.abort(new McpError("closed", this.server, `The server ${this.server} was closed.`));
    this.retry?.stop();
    this.set("closed", undefined);
    await Promise.all([client?.close().catch(() => {}), this.opening]);
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
    this.set("connecting", undefined);
    const signal = AbortSignal.any([attempt.signal, this.life.signal]);
    const opened = this.openClient(signal);
    try {
      const client = await Promise.race([opened, rejection(signal)]);
      this.watch(client, signal);
      await Promise.race([this.parts.list(client, this), rejection(signal)]);
      this.current = client;
      this.readyAt = Date.now();
      this.set("ready", undefined);
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
        breach: (sentence) => this.cut(sentence),
        ended: (how) => {
          this.lastEnd ??= `Its program ended (${how})`;
        },
      },
      messagesPerMinute: limits.messagesPerMinute,
      timeout: timeouts.connect,
      info: this.parts.info,
      options: this.parts.clientOptions(this) ?? {},
      prepare: (prepared) => this.parts.prepare(prepared, this),
      fault: (sentence) => this.addFault(`It ${sentence}.`),
    });
  }

  private watch(client: Client, signal: AbortSignal): void {
    client.onclose = () => {
      if (this.current !== client || signal.aborted) return;
      this.current = undefined;
      if (Date.now() - this.readyAt > longEnough) this.failures = 0;
      this.retryLater(`${this.lastEnd ?? "It ended the connection"}.`);
    };
  }

  private afterFailure(error: McpError): void {
    if (this.life.signal.aborted) return;
    const reason = this.lastEnd === undefined ? error.message : `${this.lastEnd}.`;
    if (error.code === "login_needed") this.set("needs_login", reason);
    else if (this.isHopeless(error)) this.set("failed", reason);
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
    this.set("waiting", reason, Date.now() + delay);
    this.retry = startTimer(delay, () => void this.connect());
  }

  private unavailable(): McpError {
    const { server, status, reason } = this;
    if (status === "closed") return new McpError("closed", server, `The server ${server} was closed.`);
    if (status === "needs_login") return new McpError("login_needed", server, `The server ${server} needs a login.`);
    if (status === "connecting")
      return new McpError("unavailable", server, `The server ${server} is still connecting. Nothing was sent.`);
    return new McpError("unavailable", server, `The server ${server} is not there: ${reason} Nothing was sent.`);
  }

  private addFault(sentence: string): void {
    this.setProblems("messages", [...(this.problems.get("messages") ?? []), sentence]);
    this.tell();
  }

  private set(status: McpServerStatus, reason: string | undefined, retryAt?: number): void {
    this.status = status;
    this.reason = reason;
    this.retryAt = retryAt;
    this.tell();
  }

  private tell(): void {
    this.parts.emit({ type: "state", state: this.state() });
  }
}

/** Milliseconds for the end of a connection that failed. */
const longestClose = 3000;
/** Milliseconds that a call waits for a connection that is under way. */
const longestWait = 10_000;
/** Milliseconds after which a connection counts as one that works. */
const longEnough = 30_000;
const mostProblems = 50;
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
