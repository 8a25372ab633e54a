import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { type Change, ChangeReader, type TurnItem } from "@cogency/server/bridge";
import type { StoredEvent } from "@cogency/storage";
import type { AcpSession } from "../acp-options.ts";
import type { EditorAbilities } from "../connection/editor-abilities.ts";
import { describeCall } from "./call-description.ts";
import { CallUpdates } from "./call-updates.ts";
import { attachmentBlock, textBlock } from "./content-blocks.ts";
import { UsageUpdates } from "./usage-updates.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

interface UpdateSettings {
  cwd: string;
  /** What the host says of the session. */
  session: Pick<AcpSession, "describeCall" | "contextWindow" | "currency">;
  can: Pick<EditorAbilities, "notices" | "compaction">;
}

/**
 * Translates what happens in a conversation into the updates of a session. The same comes of a turn of this process, of a turn of another
 * one that is watched, and of the log that is read again.
 */
export class SessionUpdates {
  readonly #settings: UpdateSettings;
  readonly #changes = new ChangeReader();
  readonly #calls: CallUpdates;
  readonly #usage: UsageUpdates;
  readonly #kinds = new Map<string, "agent_message_chunk" | "agent_thought_chunk">();
  /** Words that the editor shows already, as it has sent them. */
  #ownWords: string | undefined;
  /** Pieces that come late belong to a turn that is over. */
  #isOver = false;

  constructor(settings: UpdateSettings) {
    const { cwd, session } = settings;
    this.#settings = settings;
    this.#calls = new CallUpdates((name, args) => describeCall({ cwd, describe: session.describeCall }, name, args));
    this.#usage = new UsageUpdates(() => session.contextWindow?.(), session.currency);
  }

  /** The next words of this text come from this editor, and are not told. Without a text, none do. */
  expectWords(text: string | undefined): void {
    this.#ownWords = text;
  }

  /** What was told so far was told to nobody. */
  forgetTold(): void {
    this.#calls.forgetTold();
  }

  shownCall(id: string): ToolCallUpdate {
    return this.#calls.shown(id);
  }

  /** @param raw the event as it is stored */
  read(item: TurnItem, raw?: StoredEvent): { changes: readonly Change[]; updates: SessionUpdate[] } {
    if (item.type === "pieces" && this.#isOver) return { changes: [], updates: [] };
    this.#isOver = item.type === "over";
    const changes = this.#changes.read(item);
    const updates = changes.flatMap((change) => this.#translate(change));
    return { changes, updates: raw ? [...updates, ...this.readRecord(raw)] : updates };
  }

  /** What no change tells. A log from elsewhere may hold anything. */
  readRecord(event: StoredEvent): SessionUpdate[] {
    if (event.type !== "record") return [];
    const data = (event.data ?? {}) as Readonly<Record<string, unknown>>;
    if (event.kind === "started" && typeof data.id === "string") return this.#calls.started(data.id);
    if (event.kind === "usage") return this.#usage.read(data);
    if (event.kind === "summary" && this.#settings.can.compaction && typeof data.text === "string") {
      const summary = [textBlock(data.text)];
      return [{ sessionUpdate: "compaction_update", compactionId: `${event.seq}`, status: "completed", summary }];
    }
    return [];
  }

  #translate(change: Change): SessionUpdate[] {
    switch (change.type) {
      case "user":
        return this.#words(change);
      case "unit":
        this.#kinds.set(change.id, change.kind === "text" ? "agent_message_chunk" : "agent_thought_chunk");
        return [];
      case "unit_delta":
        return this.#piece(change.id, change.text);
      case "unit_end":
        this.#kinds.delete(change.id);
        return [];
      case "call":
        return this.#calls.begin(change);
      case "call_ready":
      case "call_changed":
        return this.#calls.ready(change);
      case "call_progress":
        return this.#calls.progress(change);
      case "call_end":
        return this.#calls.end(change);
      case "title":
        return [{ sessionUpdate: "session_info_update", title: visibleLine(change.text) }];
      case "error":
      case "notice":
        return this.#notice(change.part.message, change.type === "error" ? "warning" : "error");
      case "end":
        return this.#end(change);
      default:
        return [];
    }
  }

  #words({ message, part, seq }: Extract<Change, { type: "user" }>): SessionUpdate[] {
    const isOwn = this.#ownWords !== undefined && this.#ownWords === part.content;
    if (isOwn) {
      this.#ownWords = undefined;
      return [];
    }
    const messageId = message ?? `user-${seq}`;
    const blocks = [
      ...(part.content === "" ? [] : [textBlock(part.content)]),
      ...(part.attachments ?? []).map(attachmentBlock),
    ];
    return blocks.map((content) => ({ sessionUpdate: "user_message_chunk", content, messageId }));
  }

  #piece(id: string, text: string): SessionUpdate[] {
    if (text === "") return [];
    const sessionUpdate = this.#kinds.get(id) ?? "agent_message_chunk";
    return [{ sessionUpdate, content: textBlock(text), messageId: id }];
  }

  #notice(message: string, severity: "warning" | "error"): SessionUpdate[] {
    const title = visibleLine(message, 500);
    return this.#settings.can.notices && title !== "" ? [{ sessionUpdate: "notice", severity, title }] : [];
  }

  /** Why a run was stopped, which its last words do not say. */
  #end({ part }: Extract<Change, { type: "end" }>): SessionUpdate[] {
    if (part.status !== "stopped" || !part.stop?.message) return [];
    const content = { type: "text", text: visibleText(part.stop.message) } as const;
    return [{ sessionUpdate: "agent_message_chunk", content }];
  }
}
