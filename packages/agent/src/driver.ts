export type {
  AnswerEnding,
  Driver,
  Reading,
  ReadingEnd,
  ReadingStage,
  RequestSettings,
  StepContext,
  StepEvent,
} from "./drivers/driver.ts";
