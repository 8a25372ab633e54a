import { isToolUIPart, type UIMessage, type UIMessageChunk } from "ai";

type Chunk = UIMessageChunk & Record<string, unknown>;

/** What the judges of the AI SDK do not see in the chunks of one stream. `before` is the message that it goes on with. */
export function faultsOf(chunks: readonly UIMessageChunk[], before?: UIMessage): string[] {
  const check = new Check(before);
  for (const chunk of chunks) check.read(chunk as Chunk);
  return check.end();
}

type CallState = "writing" | "ready" | "asked" | "decided" | "done";

class Check {
  readonly #faults: string[] = [];
  readonly #units = new Map<string, string>();
  readonly #calls = new Map<string, CallState>();
  readonly #approvals = new Map<string, string>();
  #isStarted = false;
  #ending: string | undefined;
  #isInStep = false;
  /** The units and calls of the step, which a `reset-step` takes back. */
  #ofStep: { calls: Map<string, CallState>; units: Map<string, string> } = { calls: new Map(), units: new Map() };

  constructor(before: UIMessage | undefined) {
    for (const part of before?.parts ?? []) {
      if (!isToolUIPart(part)) continue;
      // The output of a tool of the page comes back to it.
      const isPagesOwn = part.providerExecuted === false && part.state !== "output-denied";
      const isDone = part.state.startsWith("output-") && !isPagesOwn && !("preliminary" in part && part.preliminary);
      this.#calls.set(part.toolCallId, isDone ? "done" : part.state === "approval-responded" ? "decided" : "ready");
      if (part.approval) this.#approvals.set(part.approval.id, part.toolCallId);
    }
  }

  read(chunk: Chunk): void {
    const unknown = Object.keys(chunk).filter((field) => !fieldsOf(chunk.type).includes(field));
    if (unknown.length > 0) this.#fault(chunk, `has unknown fields: ${unknown}`);
    if (!this.#isStarted && chunk.type !== "start") this.#fault(chunk, "stands before start");
    if (this.#ending !== undefined) this.#fault(chunk, `stands after ${this.#ending}`);
    this.#readOne(chunk);
    this.#isStarted = true;
  }

  end(): string[] {
    if (this.#ending === undefined) this.#faults.push("neither finish nor abort stands at the end");
    return this.#faults;
  }

  #readOne(chunk: Chunk): void {
    switch (chunk.type) {
      case "start":
        if (this.#isStarted) this.#fault(chunk, "stands twice");
        if (!chunk.messageId) this.#fault(chunk, "has no messageId");
        break;
      case "finish":
      case "abort":
        this.#finish(chunk);
        break;
      case "start-step":
        if (this.#isInStep) this.#fault(chunk, "stands in a step");
        this.#isInStep = true;
        this.#ofStep = { calls: new Map(this.#calls), units: new Map(this.#units) };
        break;
      case "finish-step":
        if (!this.#isInStep) this.#fault(chunk, "stands outside of a step");
        if (this.#units.size > 0) this.#fault(chunk, "leaves a unit open");
        this.#isInStep = false;
        break;
      case "reset-step":
        this.#calls.clear();
        this.#units.clear();
        for (const [id, state] of this.#ofStep.calls) this.#calls.set(id, state);
        break;
      case "text-start":
      case "reasoning-start":
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end":
        this.#unit(chunk);
        break;
      default:
        if (chunk.type.startsWith("tool-")) this.#call(chunk);
    }
  }

  #unit(chunk: Chunk & { id: string }): void {
    const [kind = "", what] = chunk.type.split("-");
    const open = this.#units.get(chunk.id);
    if (what === "start") {
      if (open) this.#fault(chunk, "begins a unit that is open");
      if (!this.#isInStep) this.#fault(chunk, "stands outside of a step");
      this.#units.set(chunk.id, kind);
      return;
    }
    if (open !== kind) this.#fault(chunk, "belongs to no open unit");
    if (what === "delta" && chunk.delta === "") this.#fault(chunk, "is empty");
    if (what === "end") this.#units.delete(chunk.id);
  }

  #call(chunk: Chunk): void {
    const id = String(chunk.toolCallId ?? this.#approvals.get(String(chunk.approvalId)));
    const state = this.#calls.get(id);
    const { from, to } = steps[chunk.type] ?? { from: [], to: undefined };
    if (!(from as readonly unknown[]).includes(state))
      this.#fault(chunk, `comes for a call that is ${state ?? "unknown"}`);
    if (chunk.type === "tool-approval-request") this.#approvals.set(String(chunk.approvalId), id);
    if (chunk.type === "tool-input-delta" && chunk.inputTextDelta === "") this.#fault(chunk, "is empty");
    if (to !== undefined && chunk.preliminary !== true) this.#calls.set(id, to);
  }

  #finish(chunk: Chunk): void {
    this.#ending = chunk.type;
    if (this.#units.size > 0) this.#fault(chunk, "leaves a unit open");
    if (this.#isInStep) this.#fault(chunk, "leaves a step open");
    if (chunk.type === "abort" || chunk.finishReason === "tool-calls") return;
    const open = [...this.#calls].filter(([, state]) => state !== "done").map(([id]) => id);
    if (open.length > 0) this.#fault(chunk, `leaves calls open: ${open}`);
  }

  #fault({ type }: Chunk, fault: string): void {
    this.#faults.push(`${type} ${fault}`);
  }
}

const alive = ["ready", "asked", "decided"] as const;

const steps: Record<string, { from: readonly (CallState | undefined)[]; to?: CallState }> = {
  "tool-input-start": { from: [undefined], to: "writing" },
  "tool-input-delta": { from: ["writing"] },
  "tool-input-available": { from: [undefined, "writing", ...alive], to: "ready" },
  "tool-approval-request": { from: alive, to: "asked" },
  "tool-approval-response": { from: alive, to: "decided" },
  "tool-output-available": { from: alive, to: "done" },
  "tool-output-error": { from: alive, to: "done" },
  "tool-output-denied": { from: ["decided"], to: "done" },
};

const input = ["toolCallId", "toolName", "providerExecuted"];

const fields: Record<string, readonly string[]> = {
  start: ["messageId", "messageMetadata"],
  finish: ["finishReason", "messageMetadata"],
  "message-metadata": ["messageMetadata"],
  abort: ["reason"],
  error: ["errorText"],
  "start-step": [],
  "finish-step": [],
  "reset-step": [],
  "text-start": ["id"],
  "text-delta": ["id", "delta"],
  "text-end": ["id"],
  "reasoning-start": ["id"],
  "reasoning-delta": ["id", "delta"],
  "reasoning-end": ["id"],
  file: ["url", "mediaType", "providerMetadata"],
  "tool-input-start": input,
  "tool-input-delta": ["toolCallId", "inputTextDelta"],
  "tool-input-available": [...input, "input"],
  "tool-approval-request": ["toolCallId", "approvalId", "approvalDescriptor", "reason"],
  "tool-approval-response": ["approvalId", "approved", "reason"],
  "tool-output-available": ["toolCallId", "output", "preliminary", "providerExecuted"],
  "tool-output-error": ["toolCallId", "errorText", "providerExecuted"],
  "tool-output-denied": ["toolCallId"],
};

function fieldsOf(type: string): readonly string[] {
  return ["type", ...(type.startsWith("data-") ? ["id", "data", "transient"] : (fields[type] ?? []))];
}
