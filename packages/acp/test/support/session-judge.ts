import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Sent } from "./editor.ts";

const statuses = ["pending", "in_progress", "completed", "failed"];

interface JudgeOptions {
  /** Sessions that another process writes, too: their updates come when no prompt is at work. */
  watched?: boolean;
}

/** What the clients of the protocol do not notice. */
export function sessionFaults(sent: readonly Sent[], options: JudgeOptions = {}): string[] {
  const judge = new SessionJudge(options);
  for (const one of sent) judge.read(one);
  return judge.end();
}

class SessionJudge {
  readonly #options: JudgeOptions;
  readonly #faults: string[] = [];
  /** The requests without an answer, by their sender and id. */
  readonly #open = new Map<string, { method: string; session: string | undefined }>();
  readonly #sessions = new Set<string>();
  readonly #loading = new Set<string>();
  readonly #prompts = new Set<string>();
  /** The status of each call, by session and id. */
  readonly #calls = new Map<string, number>();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  read({ from, message }: Sent): void {
    if ("method" in message) {
      const params = (message.params ?? {}) as { sessionId?: string; update?: SessionUpdate; requestId?: unknown };
      if ("id" in message) this.#request(from, message.id, message.method, params.sessionId);
      else if (message.method === "session/update") this.#update(params.sessionId ?? "", params.update);
      else if (message.method === "$/cancel_request" && !this.#open.has(`${from} ${params.requestId}`))
        this.#late(from, params.requestId);
    } else this.#answer(from, message.id, "result" in message ? message.result : undefined);
  }

  end(): string[] {
    const unanswered = [...this.#open.entries()].filter(([key]) => key.startsWith("editor"));
    return [...this.#faults, ...unanswered.map(([key, { method }]) => `${method} (${key}) was never answered`)];
  }

  #late(from: string, id: unknown): void {
    if (from === "agent") this.#faults.push(`the agent takes back a request ${id} that is not open`);
  }

  #request(from: Sent["from"], id: unknown, method: string, session: string | undefined): void {
    const key = `${from} ${id}`;
    if (this.#open.has(key)) this.#faults.push(`the id ${id} is used twice`);
    this.#open.set(key, { method, session });
    if (method === "session/load" && session) this.#loading.add(session);
    if (method === "session/prompt" && session) this.#prompts.add(session);
    if (from === "agent" && session && !this.#sessions.has(session) && !this.#loading.has(session))
      this.#faults.push(`${method} of the unknown session ${session}`);
  }

  #answer(from: Sent["from"], id: unknown, result: unknown): void {
    const key = `${from === "agent" ? "editor" : "agent"} ${id}`;
    const request = this.#open.get(key);
    if (!request) {
      if (id !== null) this.#faults.push(`an answer to ${id}, which is not asked`);
      return;
    }
    this.#open.delete(key);
    const { method, session } = request;
    const made = (result as { sessionId?: string } | undefined)?.sessionId;
    if (made) this.#sessions.add(made);
    if (session && result && (method === "session/load" || method === "session/resume")) this.#sessions.add(session);
    if (session) this.#loading.delete(session);
    if (method === "session/prompt" && session) this.#endPrompt(session);
  }

  #endPrompt(session: string): void {
    this.#prompts.delete(session);
    for (const [key, status] of this.#calls)
      if (key.startsWith(`${session} `) && status < 2) this.#faults.push(`the call ${key} never ends`);
  }

  #update(session: string, update: SessionUpdate | undefined): void {
    if (!update) return;
    const isKnown = this.#sessions.has(session) || this.#loading.has(session);
    if (!isKnown) this.#faults.push(`an update of the unknown session ${session}`);
    const isOfTurn = /_chunk$|^tool_call|^plan$/.test(update.sessionUpdate);
    const isTold = this.#prompts.has(session) || this.#loading.has(session) || this.#options.watched === true;
    if (isOfTurn && !isTold) this.#faults.push(`${update.sessionUpdate} while no prompt is at work`);
    if ("content" in update && update.sessionUpdate.endsWith("_chunk") && isEmptyText(update.content))
      this.#faults.push(`an empty ${update.sessionUpdate}`);
    if (update.sessionUpdate === "tool_call")
      this.#call(`${session} ${update.toolCallId}`, update.status ?? "pending", true);
    if (update.sessionUpdate === "tool_call_update")
      this.#call(`${session} ${update.toolCallId}`, update.status ?? undefined, false);
  }

  #call(key: string, status: string | undefined, isNew: boolean): void {
    const before = this.#calls.get(key);
    if (isNew && before !== undefined) this.#faults.push(`the call ${key} begins twice`);
    if (!isNew && before === undefined) this.#faults.push(`an update of the unknown call ${key}`);
    if (before !== undefined && before >= 2) this.#faults.push(`an update of the call ${key}, which has ended`);
    const now = status === undefined ? (before ?? 0) : statuses.indexOf(status);
    if (now < 0) this.#faults.push(`the status ${status} does not exist`);
    if (now < (before ?? 0)) this.#faults.push(`the call ${key} goes back to ${status}`);
    this.#calls.set(key, now);
  }
}

function isEmptyText(content: unknown): boolean {
  return (content as { text?: unknown } | undefined)?.text === "";
}

/** What a program has printed beside messages. */
export function noiseIn(output: string): string[] {
  return output.split("\n").filter((line) => line !== "" && !isMessage(line));
}

function isMessage(line: string): boolean {
  try {
    return JSON.parse(line).jsonrpc === "2.0";
  } catch {
    return false;
  }
}
