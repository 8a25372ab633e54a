import type { ToolMessage, UserMessage } from "@ag-ui/core";
import type { QuestionPart } from "@cogency/protocol/parts";
import { type Change, ChangeReader, type TurnItem } from "@cogency/server/bridge";
import type { StoredEvent } from "@cogency/storage";
import type { AgUiEvent } from "../ag-ui-event.ts";
import { withoutContext } from "../words/context.ts";
import { CallEvents } from "./call-events.ts";
import { type ClientView, showsSame } from "./client-view.ts";
import { contentOf } from "./content.ts";
import { runEnd } from "./run-end.ts";
import { ShownState } from "./shown-state.ts";
import { Steps } from "./steps.ts";
import { Subagents } from "./subagents.ts";
import { Transcript } from "./transcript.ts";
import { type UnitKind, unitContent, unitEnd, unitStart } from "./unit-events.ts";

type Of<Type extends Change["type"]> = Extract<Change, { type: Type }>;

export interface AgUiRunOptions {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId?: string | undefined;
}

/**
 * Translates what happens in a conversation into the events of one run of AG-UI: `remember` what was there before, `start` it, and `read`
 * each item that comes. The last one, `over`, brings its `RUN_FINISHED` or `RUN_ERROR`.
 *
 * INVARIANT (same messages): a client that has read all events of a run has the messages of the log, under the same ids, whether the run
 * was read live or from the log.
 */
export class AgUiRun {
  readonly #options: AgUiRunOptions;
  readonly #changes = new ChangeReader();
  readonly #transcript = new Transcript();
  readonly #state = new ShownState();
  readonly #subagents = new Subagents();
  readonly #steps = new Steps();
  readonly #calls = new CallEvents(this.#transcript);
  readonly #kinds = new Map<string, UnitKind>();
  /** What the client has sent, and the log does not hold yet. */
  #news: readonly (UserMessage | ToolMessage)[] = [];
  /** What the client has is not what the log holds. */
  #isStale = false;

  constructor(options: AgUiRunOptions) {
    this.#options = options;
  }

  /** The questions that are open now. */
  get questions(): readonly QuestionPart[] {
    return this.#state.open;
  }

  /** Whether the conversation has a message of this id. */
  has(id: string): boolean {
    return this.#transcript.messages.some((message) => message.id === id);
  }

  /** Reads what was there before the run, in its order, from the first event of the conversation on. */
  remember(items: Iterable<TurnItem>): void {
    for (const item of items) this.read(item);
    this.#subagents.forget();
    this.#isStale = false;
    this.#steps.forget();
  }

  /** The first events of the run. With a `view`, the messages are among them only where the client lacks or misquotes some. */
  start(view?: ClientView): AgUiEvent[] {
    const { threadId, runId, parentRunId } = this.#options;
    const lineage = parentRunId === undefined ? {} : { parentRunId };
    if (view) this.#see(view);
    const isSame = view !== undefined && showsSame(view.messages, this.#transcript.messages);
    return [
      { type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0", ...lineage },
      ...(isSame ? [] : [this.#snapshot()]),
      { type: "STATE_SNAPSHOT", snapshot: this.#state.snapshot() },
    ];
  }

  /** The events that an item brings. */
  read(item: TurnItem): AgUiEvent[] {
    const events = this.#inOrder(this.#changes.read(item)).flatMap((change) => {
      this.#state.read(change);
      return this.#translate(change);
    });
    if (item.type === "event") events.push(...refusal(item.event));
    if (item.type === "over") events.push(...this.#steps.close(), ...this.#subagents.suspend());
    if (this.#isStale) events.push(this.#snapshot());
    this.#isStale = false;
    if (item.type === "over") this.#state.end(item.ending.status);
    const delta = this.#state.delta();
    if (delta.length > 0) events.push({ type: "STATE_DELTA", delta });
    if (item.type === "over")
      events.push(runEnd(item.ending, { ...this.#options, open: this.#state.open, usage: this.#steps.usage }));
    return events;
  }

  /** Calls that end at one moment end in the order of the log, whatever was known of them first. */
  #inOrder(changes: readonly Change[]): readonly Change[] {
    const ends = changes.filter((change): change is Of<"call_end"> => change.type === "call_end");
    if (ends.length < 2) return changes;
    const order = this.#transcript.callOrder();
    ends.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    return changes.map((change) => (change.type === "call_end" ? (ends.shift() ?? change) : change));
  }

  #see({ messages, news }: ClientView): void {
    this.#news = news;
    this.#calls.know([...messages, ...news]);
  }

  #snapshot(): AgUiEvent {
    return { type: "MESSAGES_SNAPSHOT", messages: [...this.#transcript.messages, ...this.#news] };
  }

  #translate(change: Change): AgUiEvent[] {
    switch (change.type) {
      case "user":
        return this.#words(change);
      case "unit":
        this.#kinds.set(change.id, change.kind);
        if (this.#transcript.unit(change.id, change.kind)) this.#isStale = true;
        return [...this.#steps.begin(), ...unitStart(change.id, change.kind)];
      case "unit_delta":
        this.#transcript.write(change.id, change.text);
        return unitContent(change.id, this.#kindOf(change.id), change.text);
      case "unit_end":
        if (this.#transcript.settle(change.id, change.text)) this.#isStale = true;
        return unitEnd(change.id, this.#kindOf(change.id));
      case "call":
        return [...this.#steps.begin(), ...this.#calls.begin(change)];
      case "call_delta":
        return this.#calls.write(change);
      case "call_ready":
      case "call_changed":
      case "call_end":
        return this.#callSettled(change);
      case "call_progress":
        return [{ type: "CUSTOM", name: "progress", value: { toolCallId: change.id, update: change.update } }];
      case "question":
        if (change.part.client) this.#calls.ofClient.add(change.part.call);
        return [];
      case "step":
        this.#transcript.endStep();
        return this.#steps.end(change.usage);
      case "error":
        return [{ type: "CUSTOM", name: "error", value: { code: change.part.code, message: change.part.message } }];
      case "child":
        return this.#subagents.read(change.data, this.#state.open);
      default:
        return [];
    }
  }

  #words({ message, part, seq }: Of<"user">): AgUiEvent[] {
    const messageId = message ?? `user-${seq}`;
    const words = withoutContext(part.content);
    const { attachments = [], origin } = part;
    const metadata = origin === undefined ? {} : { metadata: { origin } };
    this.#transcript.user(messageId, contentOf(words, attachments), metadata.metadata);
    const isNew = !this.#news.some(({ id }) => id === messageId);
    this.#news = this.#news.filter(({ id }) => id !== messageId);
    if (!isNew) return [];
    // The events of a text have no place for attachments.
    if (attachments.length > 0) this.#isStale = true;
    return [
      { type: "TEXT_MESSAGE_START", messageId, role: "user", ...metadata },
      ...unitContent(messageId, "text", words),
      { type: "TEXT_MESSAGE_END", messageId },
    ];
  }

  #callSettled(change: Of<"call_ready" | "call_changed" | "call_end">): AgUiEvent[] {
    if (change.type === "call_ready") {
      const events = this.#calls.ready(change);
      if (this.#transcript.store(change.id) || change.isRestated) this.#isStale = true;
      return events;
    }
    if (change.type === "call_changed") {
      this.#isStale = true;
      this.#transcript.restate(change.id, change.name, change.args);
      return [];
    }
    if (change.outcome === "refused") this.#isStale = true;
    this.#news = this.#news.filter((message) => message.role !== "tool" || message.toolCallId !== change.id);
    const agents = this.#subagents.endCall(change.id, change.outcome !== "success");
    return [...agents, ...this.#calls.end(change)];
  }

  #kindOf(id: string): UnitKind {
    return this.#kinds.get(id) ?? "text";
  }
}

/** Why an answer was refused, whose question stays open. Of words that are refused, the end of the run tells. */
function refusal(event: StoredEvent): AgUiEvent[] {
  if (event.type !== "record" || event.kind !== "message") return [];
  const { kind, refused } = event.data;
  if (refused === undefined || !answers.has(kind)) return [];
  return [{ type: "CUSTOM", name: "error", value: { code: "refused", message: refused } }];
}

const answers: ReadonlySet<string> = new Set(["answer", "approve", "deny"]);
