import type { ApprovalRecord } from "../approval/approval.ts";
import type { BatchContext } from "../executor.ts";
import type { AnswerRecord, QuestionRecord } from "../questions/question-record.ts";

/** What was logged about the calls of a batch before a restart. Each list is read once, however many calls ask for their part. */
export interface LoggedRecords {
  /** By the id of the call. */
  approvals(call: string): readonly ApprovalRecord[];
  /** By the id of the call. */
  questions(call: string): readonly QuestionRecord[];
  /** By the id of the question. */
  answers(question: string): readonly AnswerRecord[];
}

export function loggedRecords({ approvals, questions, answers }: BatchContext): LoggedRecords {
  return {
    approvals: grouped(approvals, (record) => record.id),
    questions: grouped(questions, (record) => record.call),
    answers: grouped(answers, (record) => record.question),
  };
}

function grouped<T>(records: readonly T[] = [], keyOf: (record: T) => unknown): (key: string) => readonly T[] {
  let groups: Map<unknown, T[]> | undefined;
  return (key) => {
    // A log from elsewhere may hold anything, also no record.
    groups ??= Map.groupBy(records, (record) => record && keyOf(record));
    return groups.get(key) ?? [];
  };
}
