import { formatCalls, type JsonObject } from "@cogency/protocol";
import type { FixtureResponse } from "@copilotkit/aimock";
import type { Driver } from "../../src/driver.ts";
import { protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";

/** What a model does in one step of the task: it thinks, and then calls tools or answers. */
export type TaskStep = { thinks: string } & ({ calls: readonly TaskCall[] } | { answers: string });

interface TaskCall {
  name: string;
  args: JsonObject;
}

/** A driver, and the answers in which a model of it does a step: ReAct takes one for each call. */
export interface Speaker {
  driver: Driver;
  write(step: TaskStep, nth: number): FixtureResponse[];
}

export const speakers = {
  json: () => ({ driver: protocolDriver(), write: (step) => protocolAnswer(step, "json") }),
  xml: () => ({ driver: protocolDriver({ dialect: "xml" }), write: (step) => protocolAnswer(step, "xml") }),
  native: () => ({ driver: nativeDriver(), write: nativeAnswer }),
  react: () => ({ driver: reactDriver(), write: reactAnswers }),
} satisfies Record<string, () => Speaker>;

function protocolAnswer(step: TaskStep, dialect: "json" | "xml"): FixtureResponse[] {
  const thinks = `<think>${step.thinks}</think>\n`;
  if ("answers" in step) return [{ content: `${thinks}${step.answers}<end>` }];
  return [{ content: thinks + formatCalls(step.calls, { dialect }) }];
}

function nativeAnswer(step: TaskStep, nth: number): FixtureResponse[] {
  const reasoning = step.thinks;
  if ("answers" in step) return [{ reasoning, content: step.answers }];
  const toolCalls = step.calls.map(({ name, args }, at) => ({
    id: `call_${nth}_${at}`,
    name,
    arguments: JSON.stringify(args),
  }));
  return [{ reasoning, toolCalls }];
}

/** One decision a call. The thought stands with the first of them. */
function reactAnswers(step: TaskStep): FixtureResponse[] {
  const { thinks: thought } = step;
  if ("answers" in step) return [decided({ thought, type: "final_answer", answer: step.answers })];
  return step.calls.map(({ name, args }, at) =>
    decided({ ...(at === 0 && { thought }), type: "call_tool", tool: name, args }),
  );
}

function decided(decision: JsonObject): FixtureResponse {
  return { content: JSON.stringify(decision) };
}
