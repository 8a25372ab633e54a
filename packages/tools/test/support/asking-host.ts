import { createKeyRing } from "../../src/approval/key-ring.ts";
import type { ApprovalRecord, QuestionRecord } from "../../src/host.ts";
import type { Approval, ApprovalRequest, BatchContext } from "../../src/index.ts";
import { batchContext, executorOf, freeTool } from "./fixtures.ts";

/** A host that writes down what it is asked, and what the executor logs. */
export function host(answer: Approval["approve"] = async () => true, policy: Approval["policy"] = undefined) {
  const asked: ApprovalRequest[] = [];
  const ran: unknown[] = [];
  const log: ApprovalRecord[] = [];
  const journal = {
    question: (record: QuestionRecord) => void log.push(asAsked(record)),
    approval: (record: ApprovalRecord) => void log.push(record),
    started: () => {},
    finished: () => {},
  };
  const body = (args: object) => ran.push(args);
  const tools = [
    freeTool("look", body, { annotations: { readOnlyHint: true } }),
    freeTool("wipe", body, { annotations: { destructiveHint: true } }),
  ];
  const approve: Approval["approve"] = async (request) => {
    asked.push(request);
    return answer(request);
  };
  return {
    asked,
    ran,
    log,
    context: (more: Partial<BatchContext> = {}) => batchContext({ journal, ...more }),
    executor: executorOf(tools, { approval: { approve, policy }, keyRing }),
  };
}

/** A logged question, in the form of its answer. */
export function asAsked({ id: question, call: id, name, hash, shown }: QuestionRecord): ApprovalRecord {
  return { id, name, hash, status: "asked", question, ...(shown !== undefined && { shown }) };
}

export const keyRing = createKeyRing(["the ring of all hosts of this file, long enough"]);
