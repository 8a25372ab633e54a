import type { Case } from "../scene.ts";
import { answerCases } from "./answers.ts";
import { approvalCases } from "./approvals.ts";
import { batchCases } from "./batches.ts";
import { conversationCases } from "./conversations.ts";
import { mistakeCases } from "./mistakes.ts";
import { searchCases } from "./searches.ts";
import { troubleCases } from "./trouble.ts";

/** The corpus by the names of its files. */
export const cases: Record<string, Case[]> = {
  answers: answerCases,
  batches: batchCases,
  mistakes: mistakeCases,
  approvals: approvalCases,
  trouble: troubleCases,
  conversations: conversationCases,
  searches: searchCases,
};
