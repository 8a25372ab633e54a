import type { McpServer } from "../../../src/server/index.ts";
import type { rawClient } from "../raw-client.ts";

/** What an attack is played against. */
export interface Target {
  readonly server: McpServer;
  readonly address: string;
  /** A client of the user whom the attacker is: `eve`. */
  readonly eve: ReturnType<typeof rawClient>;
  /** Another client, whom nothing may happen to: `ada`. */
  readonly ada: ReturnType<typeof rawClient>;
  /** The tools that have run for anybody. */
  readonly ran: readonly string[];
  /** Resolves when the tool `flood` has told everything. */
  readonly flooded: Promise<void>;
}

export interface Attack {
  /** What the attacker does: "sends …". */
  readonly name: string;
  /** Plays it, and expects what becomes of it. */
  play(target: Target): Promise<void>;
  /** What runs in spite of it, for ada; nothing by default. */
  readonly runs?: readonly string[];
}

export const elicits = { elicitation: {} };
export const write = { name: "write", arguments: { path: "a.md" } };
export const approved = { action: "accept", content: { decision: "approve" } };
