import type { Case } from "../case.ts";
import { handlerCases } from "./handler-cases.ts";
import { processCases } from "./process-cases.ts";
import { restartCases } from "./restart-cases.ts";
import { stopCases } from "./stop-cases.ts";
import { unrulyCases } from "./unruly-cases.ts";
import { wakeCases } from "./wake-cases.ts";
import { workerCases } from "./worker-cases.ts";

/** Every case of the kit. Their names are public: a declaration names the cases that do not apply. */
export const allCases: readonly Case[] = [
  ...wakeCases,
  ...handlerCases,
  ...stopCases,
  ...workerCases,
  ...unrulyCases,
  ...processCases,
  ...restartCases,
];
