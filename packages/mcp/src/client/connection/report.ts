import type { Client } from "@modelcontextprotocol/client";
import type { Connector } from "../connector.ts";
import type { McpEvent, McpServerState, McpServerStatus } from "../mcp-options.ts";
import { oneLine } from "../text/plain-text.ts";

export type Seen = Pick<McpServerState, "tools" | "prompts" | "resources">;

/** What a person sees of one server. Each change is an event. */
export class Report {
  status: McpServerStatus = "waiting";
  reason: string | undefined = "It is connected when it is first used.";
  retryAt: number | undefined;
  private readonly server: string;
  private readonly connector: Connector;
  private readonly emit: (event: McpEvent) => void;
  private readonly problems = new Map<string, readonly string[]>();
  private seen: Seen = { tools: [], prompts: [], resources: 0 };
  private client: Client | undefined;

  constructor(server: string, connector: Connector, emit: (event: McpEvent) => void) {
    this.server = server;
    this.connector = connector;
    this.emit = emit;
  }

  set(status: McpServerStatus, about: { reason?: string; retryAt?: number; client?: Client } = {}): void {
    this.status = status;
    this.reason = about.reason;
    this.retryAt = about.retryAt;
    this.client = about.client;
    this.tell();
  }

  /** What the server has. */
  show(seen: Partial<Seen>): void {
    this.seen = { ...this.seen, ...seen };
    if (this.status === "ready") this.tell();
  }

  /** What is wrong with one part of it, such as its tools. */
  setProblems(part: string, problems: readonly string[]): void {
    this.problems.set(part, problems.slice(0, mostProblems));
  }

  addFault(sentence: string): void {
    this.setProblems("messages", [...(this.problems.get("messages") ?? []), sentence]);
    this.tell();
  }

  state(): McpServerState {
    const { kind, identity } = this.connector;
    const { reason, retryAt, client } = this;
    const version = client?.getServerVersion();
    const shown = (text: string, most: number) => oneLine(this.connector.hide?.(text) ?? text, most);
    return {
      name: this.server,
      status: this.status,
      ...(reason !== undefined && { reason }),
      ...(retryAt !== undefined && { retryAt }),
      ...(client && { protocol: client.getNegotiatedProtocolVersion() }),
      ...(version && { title: shown(version.title ?? version.name, 100), version: shown(version.version, 50) }),
      kind,
      identity,
      ...this.seen,
      problems: [...this.problems.values()].flat(),
    };
  }

  private tell(): void {
    this.emit({ type: "state", state: this.state() });
  }
}

const mostProblems = 50;
