import { type AbortScope, bounded, createAbortScope, pausableTimer, type Settlement } from "@cogency/async";
import type { Json, JsonObject } from "@cogency/protocol";
import { contentStatement } from "../approval/answer-statement.ts";
import { argumentsHash, canonicalJson, sha256 } from "../approval/canonical-json.ts";
import type { KeyRing } from "../approval/key-ring.ts";
import { cancelledError, isToolError, questionError, timeoutError } from "../errors.ts";
import type { BatchContext } from "../executor.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Observer } from "../observer.ts";
import { type AnswerSchema, answerSchema } from "../questions/answer-schema.ts";
import type { RemoteAnswer } from "../questions/answers.ts";
import type { Question } from "../questions/question.ts";
import type { QuestionRecord } from "../questions/question-record.ts";
import type { Ask, Tool } from "../tool.ts";
import { bodyEnding, type CallEnding, waiting } from "./call-ending.ts";
import type { JournalGuard } from "./journal-guard.ts";
import type { LoggedRecords } from "./logged-records.ts";
import type { Turns } from "./turns.ts";

/** What the calls of one batch share when they ask. */
interface AskerParts {
  /** Signs answers, and verifies logged ones. */
  keyRing: KeyRing;
  context: BatchContext;
  logged: LoggedRecords;
  scope: AbortScope;
  journal: JournalGuard;
  observe: Observer;
  /** One question of the batch is open at a time. */
  turns: Turns;
  /** Milliseconds until a question counts as unanswered. */
  patience: number | undefined;
}

/** A call whose body may ask. */
export interface AskingCall {
  call: LoggedCall;
  tool: Tool;
  /** Milliseconds that the body may take beside its questions. */
  timeout: number;
  /** Writes into the journal that the body goes on after a question without an answer. Returns whether that was written. */
  goOn(): boolean | Promise<boolean>;
}

/** The questions of one call, while its body runs. */
export interface Asking {
  readonly ask: Ask;
  /** Aborts the body: with the batch, when its time is over, or when the call is left in a question. */
  readonly scope: AbortScope;
  /** How the call ended, if its body ended like this. */
  endingOf(settlement: Settlement<unknown>): CallEnding;
  /** The body has ended. */
  close(): void;
}

/** An answer that fits. */
interface Given {
  content: Json;
  /** What the body gets. */
  value: unknown;
  remote?: RemoteAnswer<"answer">;
}

/** How often a person is asked again after answers that do not fit. */
const attempts = 3;

export function createAsking(parts: AskerParts, { call, tool, timeout, goOn }: AskingCall): Asking {
  const { keyRing, context, journal, observe, turns, patience = Number.POSITIVE_INFINITY } = parts;
  const { id, name } = call;
  const isOfClient = tool.client === true;
  const scope = createAbortScope();
  const unfollow = parts.scope.onAbort((reason) => scope.abort(reason));
  let isTooLate = false;
  const timer = pausableTimer(timeout, () => {
    isTooLate = true;
    scope.abort(timeoutError(name, timeout));
  });
  const used = new Set<string>();
  /** The question that stands. */
  let open: QuestionRecord | undefined;
  let isLeft = false;
  let isOver = false;

  async function put({ message, schema: given }: Question): Promise<unknown> {
    if (typeof message !== "string")
      throw new TypeError("ask: `message` is missing; give the text that the person reads.");
    const schema = answerSchema(given);
    throwIfOver();
    const text = message.toWellFormed();
    const seen = { message: text, schema: schema.json ?? null, scope: context.scope ?? null };
    const shown = await sha256(canonicalJson(seen as JsonObject));
    const hash = await argumentsHash(call.args);
    const known = askedBefore(hash, shown);
    const earlier = known && (await earlierAnswer(known, schema));
    if (earlier) return earlier.value;
    // An answer that has come from elsewhere counts, also where nobody is there.
    const isAnswered = known !== undefined && context.remote?.has(known.id) === true;
    if (!isAnswered && !canWait()) throw unanswered("nobody is there to answer.");
    if (context.journal && !context.journal.answer) throw failed("the host keeps no answers.");
    const json = schema.json && { schema: schema.json };
    const asked = known ?? {
      id: crypto.randomUUID(),
      call: id,
      name,
      hash,
      asks: "answer",
      touches: [],
      concerns: [],
      message: text,
      ...json,
      shown,
      ...(isOfClient && { client: true as const }),
    };
    timer.pause();
    try {
      // The client answers several at once.
      return await (isOfClient ? putInTurn(asked, schema) : turns(() => putInTurn(asked, schema)));
    } finally {
      timer.resume();
    }
  }

  async function putInTurn(asked: QuestionRecord, schema: AnswerSchema): Promise<unknown> {
    throwIfOver();
    // Also if it was logged before the body ran again: the log says that the call is in its question, and not past it.
    if (!(await journal.write((entries) => entries.question(asked)))) throw cancelled();
    open = asked;
    observe({ type: "question_asked", call, question: asked });
    throwIfOver();
    try {
      const given = (await fromElsewhere(asked, schema)) ?? (await fromHere(asked, schema));
      await keep(asked, given);
      open = undefined;
      return given.value;
    } catch (error) {
      // The body goes on without an answer, and the log says so: from now on it may take effect.
      if (!scope.isAborted() && (await goOn())) open = undefined;
      throw error;
    }
  }

  function canWait(): boolean {
    return isOfClient || context.answer !== undefined || context.whenUnanswered === "wait";
  }

  /** The question that was logged before a restart; each counts once, in the order of the log. */
  function askedBefore(hash: string, shown: string): QuestionRecord | undefined {
    const known = parts.logged
      .questions(id)
      .find(
        (one) =>
          one.asks === "answer" &&
          one.hash === hash &&
          one.shown === shown &&
          isFor(one, isOfClient) &&
          !used.has(one.id),
      );
    if (known) used.add(known.id);
    return known;
  }

  async function earlierAnswer(asked: QuestionRecord, schema: AnswerSchema): Promise<Given | undefined> {
    for (const { content, proof } of parts.logged.answers(asked.id)) {
      const verified = await bounded(() => keyRing.verify(contentStatement(context, asked, content), proof), limits);
      const reading = verified.end === "fulfilled" && verified.value === true ? await schema.read(content) : undefined;
      if (reading && "value" in reading) return reading;
    }
    return undefined;
  }

  /** The answer that has come from elsewhere. */
  async function fromElsewhere({ id: question }: QuestionRecord, schema: AnswerSchema): Promise<Given | undefined> {
    for (;;) {
      const remote = context.remote?.find(question, "answer");
      if (!remote) return undefined;
      const fitting = await readRemote(remote, schema);
      if (fitting) return fitting;
    }
  }

  async function readRemote(remote: RemoteAnswer<"answer">, schema: AnswerSchema): Promise<Given | undefined> {
    const reading = await schema.read(remote.content);
    if ("value" in reading) return { ...reading, remote };
    context.remote?.refuse(remote, `The answer does not fit: ${reading.problem}.`);
    return undefined;
  }

  /** The answer of the person who is asked here, or of somebody elsewhere meanwhile. */
  async function fromHere(asked: QuestionRecord, schema: AnswerSchema): Promise<Given> {
    const { answer } = context;
    if (!answer && !canWait()) throw unanswered("nobody is there to answer.");
    if (!answer || isOfClient) return leave("it waits for an answer.");
    const controller = new AbortController();
    const { signal } = controller;
    const { conversation, user, run, agents } = context;
    const { id: question, message = "" } = asked;
    const from = agents && { agents };
    const request = { conversation, user, run, call, tool, question, message, schema: schema.json, signal, ...from };
    const here = async (): Promise<Given> => {
      let problem: string | undefined;
      for (let attempt = 0; attempt < attempts; attempt++) {
        const reading = await schema.read(await answer({ ...request, problem }));
        if ("value" in reading) return reading;
        problem = reading.problem;
      }
      throw failed(`the answer does not fit: ${problem}.`);
    };
    const elsewhere = async (): Promise<Given> => {
      for (;;) {
        const remote = await (context.remote?.wait(question, "answer", signal) ?? new Promise<never>(() => {}));
        const fitting = await readRemote(remote, schema);
        if (fitting) return fitting;
      }
    };
    const settlement = await bounded(() => Promise.race([here(), elsewhere()]), {
      scope,
      timeout: patience,
      grace: 0,
      stop: (_, reason) => controller.abort(reason),
    });
    controller.abort();
    switch (settlement.end) {
      case "fulfilled":
        return settlement.value;
      case "aborted":
        throw over();
      case "timeout":
        if (context.whenUnanswered === "wait") return leave(`nobody answered within ${patience} ms.`);
        throw unanswered(`nobody answered within ${patience} ms.`);
      case "rejected":
        if (isToolError(settlement.error, "unanswered", "left", "answer_failed")) throw settlement.error;
        observe({ type: "question_failed", call, question, error: settlement.error });
        // The cause is for the host, as an event: what the body throws on, the model reads.
        throw failed("the person could not be asked.");
    }
  }

  /** Signs and logs an answer. Without a proof nothing could verify it after a restart. */
  async function keep(asked: QuestionRecord, { content, remote }: Given): Promise<void> {
    const signed = await bounded(() => keyRing.sign(contentStatement(context, asked, content)), limits);
    if (signed.end === "rejected") throw failed("the answer could not be signed.", signed.error);
    if (signed.end !== "fulfilled") throw over();
    const by = remote?.by;
    const record = { question: asked.id, content, ...(by !== undefined && { from: by }), proof: signed.value };
    if (!(await journal.write((entries) => entries.answer?.(record, remote)))) throw cancelled();
    observe({
      type: "question_answered",
      call,
      question: asked.id,
      content,
      ...(by !== undefined && { by }),
    });
  }

  function leave(because: string): never {
    isLeft = true;
    const error = questionError("left", name, because);
    scope.abort(error);
    throw error;
  }

  function throwIfOver(): void {
    if (isOver || scope.isAborted()) throw over();
  }

  function over(): Error {
    return isLeft ? questionError("left", name, "the call waits for an answer.") : cancelled();
  }

  function cancelled(): Error {
    return cancelledError(name, " while it asked a question");
  }

  function failed(problem: string, cause?: unknown): Error {
    return questionError("answer_failed", name, problem, cause === undefined ? undefined : { cause });
  }

  function unanswered(problem: string): Error {
    return questionError("unanswered", name, problem);
  }

  const limits = { scope, timeout: Number.POSITIVE_INFINITY, grace: 0 };
  return {
    scope,
    ask: (question: Question) => {
      const answer = put(question) as Promise<never>;
      // A body that does not wait for the answer must not end the process.
      answer.catch(() => {});
      return answer;
    },
    endingOf(settlement) {
      if (settlement.end !== "aborted") return bodyEnding(name, timeout, settlement);
      if (isLeft && open && !parts.scope.isAborted()) return waiting(name, open);
      if (isTooLate) return bodyEnding(name, timeout, { end: "timeout", work: settlement.work });
      return { ...bodyEnding(name, timeout, settlement), ...(open && { question: open }) };
    },
    close() {
      isOver = true;
      timer.stop();
      unfollow();
      scope.abort(undefined);
    },
  };
}

/**
 * The question that a call was left in, if it still has no answer and nobody is here to give one: its body need not run again to
 * find that out.
 */
export function standingQuestion(
  { remote, answer, whenUnanswered }: BatchContext,
  logged: LoggedRecords,
  { id }: LoggedCall,
  { client }: Tool,
): QuestionRecord | undefined {
  if (!client && (answer || whenUnanswered !== "wait")) return undefined;
  const last = logged.questions(id).findLast((one) => one.asks === "answer" && isFor(one, client));
  if (!last || remote?.has(last.id) || logged.answers(last.id).length > 0) return undefined;
  return last;
}

/** Whether the question is for the one who is asked: a client, or a person. */
function isFor({ client }: QuestionRecord, isOfClient = false): boolean {
  return (client === true) === isOfClient;
}

/** The `ask` of a tool that does not say that it asks. */
export function undeclaredAsk(tool: string): Ask {
  return async () => {
    throw new TypeError(`The tool ${tool} asks a question: its definition must say \`asks: true\`.`);
  };
}
