import type { Scene } from "../recording/scene.ts";
import { answers } from "./answers.ts";
import { below } from "./below.ts";
import { calls } from "./calls.ts";
import { clientTools } from "./client-tools.ts";
import { drivers } from "./drivers.ts";
import { long } from "./long.ts";
import { outside } from "./outside.ts";
import { questions } from "./questions.ts";
import { troubles } from "./troubles.ts";
import { trust } from "./trust.ts";

export const scenes: readonly Scene[] = [
  ...answers,
  ...calls,
  ...questions,
  ...clientTools,
  ...drivers,
  ...long,
  ...outside,
  ...trust,
  ...troubles,
  ...below,
];
