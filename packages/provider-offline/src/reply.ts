import type { ToolCall, ToolResult } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { answer } from "./answer/answer.ts";
import { codeSpan, quote } from "./answer/quote.ts";
import { formOf } from "./forms/form.ts";
import { type OfferedTool, offeredTools, toolsIn } from "./offered-tools.ts";
import { makePlan, type Plan } from "./plan.ts";
import { readRequest } from "./request/read-request.ts";
import { isOutside, readTurn, refusalIn, type Turn } from "./turn.ts";

/** What the model has to say, before it is written in a form. */
export interface Reply {
  thought: string;
  /** The answer; empty beside calls. */
  text: string;
  /** The calls that it makes, after which it waits. */
  calls: readonly ToolCall[];
}

/** The reply to a request. It depends only on the request. */
export function reply(request: ModelRequest, model: string): Reply {
  const turn = readTurn(request.messages, formOf(request));
  if (isOutside(turn.request))
    return { thought: "Nobody asked for anything.", text: `Something outside says:${quote(turn.request)}`, calls: [] };
  const plan = makePlan(readRequest(turn.request), toolsOf(request));
  const batch = turn.batches.at(-1);
  // ReAct makes one call in a step.
  const isSingle = formOf(request) === "react";
  const made = isSingle ? turn.batches.flatMap(({ calls }) => calls).length : plan.steps.length;
  const next = isSingle ? plan.steps.slice(made, made + 1) : plan.steps;

  if (!batch)
    return plan.steps.length > 0 ? act(next) : finish(turn, "There is nothing to call.", introduction(plan, model));
  const refusal = refusalIn(batch.results);
  if (refusal !== undefined) return afterRefusal(refusal, next, turn);
  if (made < plan.steps.length) return act(next);
  const all = isSingle ? joined(turn.batches) : batch;
  return finish(turn, thoughtOn(all.results), answers(all, plan));
}

function toolsOf({ system, tools, toolChoice }: ModelRequest): ReadonlyMap<string, OfferedTool> {
  if (toolChoice === "none") return new Map();
  return tools === undefined ? offeredTools(system) : toolsIn(tools);
}

function act(steps: Plan["steps"], why = "The request needs"): Reply {
  const names = [...new Set(steps.map(({ call }) => call.name))].join(" and ");
  const batch = steps.length > 1 ? `${names}: ${steps.length} calls, in one batch.` : `one call of ${names}.`;
  return { thought: `${why} ${batch}`, text: "", calls: steps.map(({ call }) => call) };
}

function finish({ modelText }: Turn, thought: string, text: string): Reply {
  return {
    thought,
    text: text === modelText ? "There is nothing left to do; the answer stands above." : text,
    calls: [],
  };
}

function joined(batches: Turn["batches"]): Turn["batches"][number] {
  return { calls: batches.flatMap(({ calls }) => calls), results: batches.flatMap(({ results }) => results) };
}

function introduction({ obstacles }: Plan, model: string): string {
  const self = `I am ${codeSpan(model)}, a small deterministic model that runs without a network. I understand plain requests to list, read, find, count and write, such as \`list src and read package.json\`.`;
  return [...obstacles, self].join(" ");
}

/** A refused block ran no call, so that writing it again is safe. After a second refusal, more would follow. */
function afterRefusal(refusal: string, steps: Plan["steps"], turn: Turn): Reply {
  const isFirst = turn.batches.filter(({ results }) => refusalIn(results) !== undefined).length === 1;
  if (isFirst && steps.length > 0) return act(steps, "The block was refused and ran nothing. Once more:");
  return finish(
    turn,
    "The block was refused again.",
    `My block of calls was refused, so nothing was done:${quote(refusal)}`,
  );
}

function thoughtOn(results: readonly ToolResult[]): string {
  const failed = results.filter(({ status }) => status === "failure").length;
  return failed === 0 ? "The results are here." : `The results are here; ${failed} of ${results.length} failed.`;
}

function answers({ calls, results }: Turn["batches"][number], { steps, obstacles }: Plan): string {
  const parts = results.map((result, index) => {
    const step = steps[index];
    return answer(step && isSame(step.call, calls[index]) ? step.intent : undefined, result);
  });
  return [...parts, ...obstacles].join("\n\n");
}

/** For calls that another model may have made. */
function isSame(planned: ToolCall, made: ToolCall | undefined): boolean {
  return JSON.stringify([planned.name, planned.args]) === JSON.stringify([made?.name, made?.args]);
}
