import type { McpOptions, McpServerOptions } from "../mcp-options.ts";

/** The options of one server, with its defaults. */
export interface ServerSettings {
  readonly timeouts: {
    readonly connect: number;
    readonly call: number;
    readonly silence: number;
    readonly total: number;
  };
  readonly limits: {
    readonly messageBytes: number;
    readonly messagesPerMinute: number;
    readonly items: number;
    readonly description: number;
  };
}

export function settingsOf({ timeouts = {}, limits = {} }: McpServerOptions): ServerSettings {
  const call = timeouts.call ?? 60_000;
  return {
    timeouts: {
      connect: timeouts.connect ?? 30_000,
      call,
      silence: timeouts.silence ?? call,
      total: Math.max(timeouts.total ?? 600_000, call),
    },
    limits: {
      messageBytes: limits.messageBytes ?? 8 * 1024 * 1024,
      messagesPerMinute: limits.messagesPerMinute ?? 600,
      items: limits.items ?? 1000,
      description: limits.description ?? 4000,
    },
  };
}

/** What all servers of one `mcp` share. */
export type SharedOptions = Omit<McpOptions, "servers">;
