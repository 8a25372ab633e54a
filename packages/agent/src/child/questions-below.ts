import type { LogEvent } from "@cogency/protocol";
import type { QuestionRecord, RemoteAnswer, ToolEvent } from "@cogency/tools/host";
import { send } from "../inbox/send.ts";
import type { RunContext } from "../run-context.ts";
import type { Activity } from "../timeline/timeline.ts";

type Asks = QuestionRecord["asks"];

/**
 * The questions of an agent that a call has started, in the conversation of the call: they stand in its log, and an answer that is sent
 * to it goes on to the agent.
 */
export class QuestionsBelow {
  readonly #context: RunContext;
  /** The id of the call. */
  readonly #call: string;
  /** The conversation of the agent. */
  readonly #child: string;
  readonly #closing = new AbortController();
  readonly #asked = new Map<string, QuestionRecord>();
  readonly #settled = new Set<string>();
  readonly #passedOn = new Set<string>();
  #work: Promise<unknown> = Promise.resolve();

  /** @param events those of the conversation of the call */
  constructor(context: RunContext, call: string, child: string, events: readonly LogEvent[]) {
    this.#context = context;
    this.#call = call;
    this.#child = child;
    for (const event of events) {
      if (event.type !== "record") continue;
      if (event.kind === "question" && event.data?.call === call && event.data.agents)
        this.#asked.set(event.data.id, event.data as QuestionRecord);
      if (event.kind === "approval" && event.data?.question !== undefined) this.#settled.add(event.data.question);
      if (event.kind === "answer") this.#settled.add(event.data?.question);
    }
  }

  /** Passes on the answers that have come while nobody was here to take them. */
  async passOnKnown(): Promise<void> {
    for (const { id, asks } of this.#asked.values()) {
      const answer = this.#settled.has(id) ? undefined : this.#context.mailbox.find(id, asks);
      if (answer) await this.#passOn(id, answer);
    }
  }

  hear(event: ToolEvent, agents: readonly string[]): void {
    switch (event.type) {
      case "asked": {
        const { question: id, call, hash, touches, concerns, definition } = event.request;
        this.#ask({
          id,
          call: this.#call,
          name: call.name,
          args: call.args,
          hash,
          asks: "approval",
          touches,
          concerns,
          ...(definition !== undefined && { definition }),
          agents,
        });
        return;
      }
      case "question_asked": {
        const { id, name, hash, message, schema } = event.question;
        const asked = { ...(message !== undefined && { message }), ...(schema && { schema }) };
        const { args } = event.call;
        this.#ask({
          id,
          call: this.#call,
          name,
          args,
          hash,
          asks: "answer",
          touches: [],
          concerns: [],
          ...asked,
          agents,
        });
        return;
      }
      case "answered": {
        const { question, approved, reason, by } = event;
        const status = approved ? ("approved" as const) : ("denied" as const);
        this.#settle(question, ({ name, hash }) => ({
          kind: "approval",
          data: { id: this.#call, name, hash, status, question, ...(reason !== undefined && { reason }) },
        }));
        const told = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
        this.#tell(question, (id) => ({ type: "approval_settled", question, id, decision: status, ...told }));
        return;
      }
      case "question_answered": {
        const { question, content, by } = event;
        this.#settle(question, () => ({ kind: "answer", data: { question, content } }));
        const told = { content, ...(by !== undefined && { by }) };
        this.#tell(question, (id) => ({ type: "question_answered", question, id, ...told }));
      }
    }
  }

  /** Whether an answer to one of the questions was passed on since the last call. Waits for those on their way. */
  async takePassedOn(questions: readonly string[]): Promise<boolean> {
    await this.#work;
    const isPassedOn = questions.some((id) => this.#passedOn.has(id));
    this.#passedOn.clear();
    return isPassedOn;
  }

  /** What stands, as it is shown for the conversation of the call. */
  standing(questions: readonly string[]): QuestionRecord[] {
    return questions.flatMap((id) => this.#asked.get(id) ?? []);
  }

  /** The agent has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
  }

  #ask(asked: QuestionRecord): void {
    const { id, asks } = asked;
    const { call, name, args = {}, hash, concerns, touches, message = "", schema, agents = [] } = asked;
    if (!this.#asked.has(id)) {
      this.#asked.set(id, asked);
      this.#store([{ kind: "question", data: { ...asked } }]);
    }
    this.#tell(id, () =>
      asks === "approval"
        ? { type: "approval_requested", question: id, id: call, name, args, hash, concerns, touches, agents }
        : { type: "question_asked", question: id, id: call, name, message, ...(schema && { schema }), agents },
    );
    this.#context.mailbox.wait(id, asks, this.#closing.signal).then((answer) => {
      this.#work = this.#work.then(() => this.#passOn(id, answer));
    });
  }

  /** Puts it on the timeline, after it is stored. */
  #tell(question: string, make: (call: string) => Activity): void {
    if (!this.#asked.has(question)) return;
    this.#work = this.#work.then(() => this.#context.timeline.tellOfCall(this.#call, () => make(this.#call)));
  }

  #settle(id: string, record: (asked: QuestionRecord) => RecordOf): void {
    const asked = this.#asked.get(id);
    if (!asked || this.#settled.has(id)) return;
    this.#settled.add(id);
    this.#store([record(asked)]);
  }

  /** The agent gets the answer as a message of its own, under the same id: it gets it once, wherever this breaks off. */
  async #passOn(id: string, answer: RemoteAnswer<Asks>): Promise<void> {
    const { settings, user } = this.#context;
    const { message, by } = answer;
    const kind = "content" in answer ? "answer" : answer.approved ? "approve" : "deny";
    const told =
      "content" in answer
        ? { kind: "answer" as const, question: id, content: answer.content }
        : { kind: answer.approved ? ("approve" as const) : ("deny" as const), question: id, reason: answer.reason };
    const options = { id: message, ...(by !== undefined && { from: by }) };
    try {
      await send(settings, { conversation: this.#child, user }, told, options);
    } catch (error) {
      // `conflict`: it was passed on before, under another key of the ring. Else it stays in the inbox, for the next run.
      if ((error as { code?: unknown }).code !== "conflict") return;
    }
    this.#passedOn.add(id);
    const data = { id: message, kind, ...(by !== undefined && { from: by }) };
    await this.#append([{ kind: "message", data }], [message]);
  }

  #store(records: readonly RecordOf[]): void {
    this.#work = this.#work.then(() => this.#append(records));
  }

  async #append(records: readonly RecordOf[], takes: readonly string[] = []): Promise<void> {
    const { log, settings } = this.#context;
    const timestamp = settings.clock();
    const events = records.map((record) => ({ type: "record", ...record, timestamp }) as LogEvent);
    // A log that cannot be written ends the run, which says so.
    await log.append(events, takes).catch(() => {});
  }
}

/** A record without its time. */
type RecordOf = { kind: "question" | "approval" | "answer" | "message"; data: object };
