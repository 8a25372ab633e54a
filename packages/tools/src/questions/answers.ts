import type { Json, JsonSchema, ToolCall } from "@cogency/protocol";
import type { ApprovalAnswer } from "../approval/approval.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool } from "../tool.ts";
import type { QuestionRecord } from "./question-record.ts";

/** A question of a tool, as the host puts it to a person. */
export interface AnswerRequest<Call extends ToolCall = ToolCall> {
  /** The conversation of the call, and its user. */
  readonly conversation: string;
  readonly user: string | undefined;
  /** The id of the run that asks, as in the events of the agent; undefined where an executor is used without one. */
  readonly run: string | undefined;
  readonly call: LoggedCall<Call>;
  readonly tool: Tool;
  /** The random id of the question. */
  readonly question: string;
  readonly message: string;
  /** What the answer must fit; undefined for a text. */
  readonly schema: JsonSchema | undefined;
  /** The names of the agents whose call it is, from the outermost; absent for the agent of the conversation itself. */
  readonly agents?: readonly string[] | undefined;
  /** Why the answer before this one did not fit; undefined the first time. */
  readonly problem: string | undefined;
  /** Aborts when the question is closed: it was answered elsewhere, the run was cancelled, or the time is over. */
  readonly signal: AbortSignal;
}

/** An answer that came from elsewhere, such as an inbox, and that the host has verified. */
export type RemoteAnswer<Asks extends QuestionRecord["asks"] = "approval"> = Settlements[Asks] & {
  /** Who answered, as they claim. */
  readonly by?: string;
  /** The id of the message that holds the answer. The journal gets it together with the answer. */
  readonly message: string;
};

/** What settles a question, by what it asks for. */
interface Settlements {
  approval: ApprovalAnswer;
  answer: { readonly content: Json };
}

/** Answers to questions from elsewhere. The first answer to a question counts, from here or from there. */
export interface RemoteAnswers {
  /** Whether an answer to the question with this id has come. */
  has(question: string): boolean;
  /** Takes the answer to the question with this id, if one has come. One of the other kind is refused. */
  find<Asks extends QuestionRecord["asks"]>(question: string, asks: Asks): RemoteAnswer<Asks> | undefined;
  /** Takes the answer when it comes. `signal` aborts when the question is closed. */
  wait<Asks extends QuestionRecord["asks"]>(
    question: string,
    asks: Asks,
    signal: AbortSignal,
  ): Promise<RemoteAnswer<Asks>>;
  /** Gives an answer back that does not fit its question, which stands. */
  refuse(answer: { readonly message: string }, why: string): void;
}
