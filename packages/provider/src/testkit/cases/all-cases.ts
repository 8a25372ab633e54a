import type { ProviderCase } from "../provider-case.ts";
import { answerCases } from "./answer-cases.ts";
import { attachmentCases } from "./attachment-cases.ts";
import { failureCases } from "./failure-cases.ts";
import { limitCases } from "./limit-cases.ts";
import { loadCases } from "./load-cases.ts";
import { nativeCases } from "./native-cases.ts";
import { requestCases } from "./request-cases.ts";
import { secretCases } from "./secret-cases.ts";
import { stopCases } from "./stop-cases.ts";
import { timeoutCases } from "./timeout-cases.ts";
import { toolCases } from "./tool-cases.ts";
import { transportCases } from "./transport-cases.ts";

/** Every case of the kit. Their names are public, because harnesses declare cases by name. */
export const allCases: readonly ProviderCase[] = [
  ...answerCases,
  ...toolCases,
  ...requestCases,
  ...nativeCases,
  ...attachmentCases,
  ...stopCases,
  ...failureCases,
  ...secretCases,
  ...transportCases,
  ...timeoutCases,
  ...limitCases,
  ...loadCases,
];
