import type { DriverCase } from "../driver-case.ts";
import { callCases } from "./call-cases.ts";
import { declaredCase } from "./declared-case.ts";
import { endingCases } from "./ending-cases.ts";
import { historyCases } from "./history-cases.ts";
import { readingCases } from "./reading-cases.ts";
import { recordCases } from "./record-cases.ts";
import { requestCases } from "./request-cases.ts";
import { textCases } from "./text-cases.ts";

const ownCases: readonly DriverCase[] = [
  ...readingCases,
  ...textCases,
  ...callCases,
  ...recordCases,
  ...endingCases,
  ...requestCases,
  ...historyCases,
];

/** Every case of the kit. Their names are public, because harnesses declare cases by name. */
export const allCases: readonly DriverCase[] = [declaredCase(ownCases), ...ownCases];
