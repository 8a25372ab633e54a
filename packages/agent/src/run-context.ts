import type { JsonObject } from "@cogency/protocol";
import type { Content } from "@cogency/tools";
import type { ConversationLog } from "./log/conversation-log.ts";
import type { Meter } from "./meter.ts";
import type { SessionLine } from "./session/session-line.ts";
import type { Settings } from "./settings.ts";

/** One run as its steps see it. */
export interface RunContext {
  readonly settings: Settings;
  readonly log: ConversationLog;
  readonly meter: Meter;
  /** Mode `resume`. */
  readonly session: SessionLine | undefined;
  readonly conversation: string;
  readonly user: string | undefined;
  readonly stream: "token" | "event" | null;
  readonly signal: AbortSignal;
  /** What the conversation counts as holding, whatever its records say; nothing once its origin is verified. */
  assumed: readonly Content[];
  /** The last text for the user that the run has produced. */
  said: string;
  /** What tools and hooks see; hooks change it. */
  metadata: JsonObject;
  /** Calls of the run that did not succeed. */
  toolErrors: number;
}
