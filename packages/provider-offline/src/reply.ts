import { formatCalls, formatThink, type ToolCall, type ToolResult } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { answer } from "./answer/answer.ts";
import { codeSpan, quote } from "./answer/quote.ts";
import { offeredTools } from "./offered-tools.ts";
import { makePlan, type Plan } from "./plan.ts";
import { readRequest } from "./request/read-request.ts";
import { readTurn, refusalIn, type Turn } from "./turn.ts";

/** The whole generation that answers a request, in the wire protocol. It depends only on the request. */
export function reply({ system, messages }: ModelRequest, model: string): string {
  const turn = readTurn(messages);
  const plan = makePlan(readRequest(turn.request), offeredTools(system));
  const batch = turn.batches.at(-1);

  if (!batch) return plan.steps.length > 0 ? act(plan) : finish(turn, "", introduction(plan, model));
  const refusal = refusalIn(batch.results);
  if (refusal !== undefined) return afterRefusal(refusal, plan, turn);
  return finish(turn, thoughtOn(batch.results), answers(batch, plan));
}

function act({ steps }: Plan, why = "The request needs"): string {
  const names = [...new Set(steps.map(({ call }) => call.name))].join(" and ");
  const batch = steps.length > 1 ? `${names}: ${steps.length} calls, in one batch.` : `one call of ${names}.`;
  return `${formatThink(`${why} ${batch}`)}\n\n${formatCalls(steps.map(({ call }) => call))}`;
}

function finish({ modelText }: Turn, thought: string, text: string): string {
  const open = text === modelText ? "There is nothing left to do; the answer stands above." : text;
  return [...(thought ? [formatThink(thought)] : []), open, "<end>"].join("\n\n");
}

function introduction({ obstacles }: Plan, model: string): string {
  const self = `I am ${codeSpan(model)}, a small deterministic model that runs without a network. I understand plain requests to list, read, find, count and write, such as \`list src and read package.json\`.`;
  return [...obstacles, self].join(" ");
}

/** A refused block ran no call, so that writing it again is safe. After a second refusal, more would follow. */
function afterRefusal(refusal: string, plan: Plan, turn: Turn): string {
  const isFirst = turn.batches.filter(({ results }) => refusalIn(results) !== undefined).length === 1;
  if (isFirst && plan.steps.length > 0) return act(plan, "The block was refused and ran nothing. Once more:");
  return finish(turn, "", `My block of calls was refused, so nothing was done:${quote(refusal)}`);
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
