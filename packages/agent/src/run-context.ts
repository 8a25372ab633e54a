import type { AgentEvent, JsonObject, LogEvent, RunEvent, ToolSpec } from "@cogency/protocol";
import type { Approval, BatchContext, Content } from "@cogency/tools";
import type { ToolEvent } from "@cogency/tools/host";
import type { RunOptions } from "./agent-options.ts";
import type { QuestionError } from "./batch/question-errors.ts";
import type { UnknownCalls } from "./batch/unknown-calls.ts";
import type { RunEnding } from "./ending.ts";
import type { RunError } from "./errors.ts";
import type { LoopHooks } from "./hooks/loop-hooks.ts";
import type { Mailbox } from "./inbox/mailbox.ts";
import type { RunLive } from "./live/run-live.ts";
import type { ConversationLog } from "./log/conversation-log.ts";
import type { RunLease } from "./log/run-lease.ts";
import type { RequestAttachments } from "./loop/attachments.ts";
import type { Deadline } from "./loop/deadline.ts";
import type { Ledger } from "./loop/ledger.ts";
import type { RequestRecords } from "./loop/request-records.ts";
import type { RequestSize } from "./loop/request-size.ts";
import type { Meter } from "./meter.ts";
import type { Model } from "./model.ts";
import type { Outlet } from "./outlet.ts";
import type { SessionLine } from "./session/session-line.ts";
import type { Settings } from "./settings.ts";
import type { StepTools } from "./sources/step-tools.ts";
import type { Timeline } from "./timeline/timeline.ts";

/** What ties a run to the call of another run that has started it. */
export interface ParentLink {
  /** The run that made the call. */
  readonly context: RunContext;
  /** The id of the call. */
  readonly call: string;
  /** The conversation of a person that all of it belongs to. */
  readonly root: string;
  /** The names of the agents from there on; the last one is that of this run. */
  readonly agents: readonly string[];
  /** What the conversation of the call held before it. */
  readonly events: readonly LogEvent[];
  /** Gets the context of the run. */
  onContext(context: RunContext): void;
  /** Hears what happens to the calls of this run, and of those below it: `agents` lead to it. */
  onCall(event: ToolEvent, agents: readonly string[]): void;
}

/** The state of one run that its steps share. */
export interface RunContext {
  /** Changed where the run goes on with another provider, and where its tools change. */
  settings: Settings;
  readonly log: ConversationLog;
  /** The messages that wait for the conversation. */
  readonly mailbox: Mailbox;
  /** Takes the events for the consumer. */
  readonly outlet: Outlet<AgentEvent, AgentEvent | RunEvent>;
  /** Takes everything that happens, for whoever listens. */
  readonly timeline: Timeline;
  /** Shows what the model writes to whoever watches; undefined if the agent shows nothing. */
  readonly live: RunLive | undefined;
  /** The tools that may change; undefined while none may. */
  tools: StepTools | undefined;
  /** The tools that the client brings, as the log says; the same array as long as that does not change. */
  clientTools: readonly ToolSpec[];
  /** The hooks of the loop; undefined without any. */
  hooks: LoopHooks | undefined;
  readonly meter: Meter;
  /** What is left of the budget, and what requests that run have reserved of it. */
  readonly ledger: Ledger;
  /** The time of the run. */
  readonly deadline: Deadline;
  /** The tokens of the run's requests. */
  readonly size: RequestSize;
  /** Checks what requests hold besides text. */
  readonly attachments: RequestAttachments;
  /** Says in the log what the model is asked; undefined if the agent does not want that. */
  requests: RequestRecords | undefined;
  /** The session with the provider; undefined in mode `replay`. */
  session: SessionLine | undefined;
  /** The models that are left, should the provider be down. */
  readonly fallback: Model[];
  readonly conversation: string;
  readonly user: string | undefined;
  readonly stream: "token" | "event" | null;
  readonly signal: AbortSignal;
  /** Aborts the signal if the run was asked to hand over. To be called where nothing of it is in flight. */
  readonly handOver: () => void;
  /** Aborts when the run is asked to. */
  readonly handingOver: AbortSignal | undefined;
  /** Asks a person in this run; without it, the agent's own way is used. */
  readonly approve: Approval["approve"];
  /** Asks the host where a limit of the budget would end the run. */
  readonly atLimit: RunOptions["atLimit"];
  /** Puts questions of tools to a person in this run. */
  readonly answer: BatchContext["answer"];
  readonly lease: RunLease;
  /** What has started the run; undefined for a run of the program. */
  readonly parent: ParentLink | undefined;
  /** Whether a conversation that was cancelled stays as it is, unless a prompt waits for it: nobody asked to go on with it. */
  readonly leavesCancelled: boolean;
  /** How the run has ended, once nothing more is stored about it. From then on it can no longer be cancelled. */
  ending: RunEnding | undefined;
  /** Why the run may not go on: its lease was lost, and another writer has it. Set before the signal aborts. */
  lostLease: RunError | undefined;
  /** Content that the conversation counts as holding besides its records; empty once its origin is verified. */
  assumed: readonly Content[];
  /** Content by which the calls of the last batch are judged: what the conversation held before the model wrote them. */
  judgedBy: readonly Content[];
  /** The text for the user of the last step that wrote any. */
  lastText: string;
  /** Tools and hooks read it; hooks change it. */
  metadata: JsonObject;
  /** Whether the model may still be told in this turn that a call which it wrote is none. */
  mayNudge: boolean;
  /** Calls of the run that did not succeed. */
  toolErrors: number;
  /** What `approve` and `answer` of the host threw. */
  readonly questionErrors: QuestionError[];
  /** Calls that may have taken effect, though nobody knows. */
  readonly unknown: UnknownCalls;
}
