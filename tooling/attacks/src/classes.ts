import { providerAnswers } from "./classes/answers.ts";
import { approvals } from "./classes/approvals.ts";
import { argumentNames } from "./classes/arguments.ts";
import { commands } from "./classes/commands.ts";
import { content } from "./classes/content.ts";
import { inputs } from "./classes/inputs.ts";
import { markers } from "./classes/markers.ts";
import { paths } from "./classes/paths.ts";
import { questions } from "./classes/questions.ts";
import { slowness } from "./classes/slowness.ts";
import { stores } from "./classes/stores.ts";
import type { AttackClass } from "./harness/attack.ts";

export const classes: readonly AttackClass[] = [
  approvals,
  paths,
  commands,
  questions,
  content,
  argumentNames,
  markers,
  providerAnswers,
  stores,
  inputs,
  slowness,
];
