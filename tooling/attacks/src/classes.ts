import { providerAnswers } from "./classes/answers/answers.ts";
import { approvals } from "./classes/approvals/approvals.ts";
import { argumentNames } from "./classes/arguments/arguments.ts";
import { commands } from "./classes/commands/commands.ts";
import { content } from "./classes/content/content.ts";
import { inputs } from "./classes/inputs/inputs.ts";
import { markers } from "./classes/markers/markers.ts";
import { obeyed } from "./classes/obeyed/obeyed.ts";
import { pages } from "./classes/pages/pages.ts";
import { paths } from "./classes/paths/paths.ts";
import { questions } from "./classes/questions/questions.ts";
import { slowness } from "./classes/slowness/slowness.ts";
import { stores } from "./classes/stores/stores.ts";
import { trust } from "./classes/trust/trust.ts";
import { undo } from "./classes/undo/undo.ts";
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
  undo,
  trust,
  obeyed,
  pages,
];
