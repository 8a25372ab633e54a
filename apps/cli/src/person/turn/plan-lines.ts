import { styleText } from "node:util";
import type { RunEvent } from "@cogency/protocol";
import { linesWrapped, oneLine, visible, wordWrapped } from "../../base/terminal/text.ts";
import { planCallText, presentedText, updateLines } from "../plan/plan-texts.ts";
import type { PlanUpdate } from "../plan/plan-tracker.ts";

/**
 * A call that wrote or presented a plan: what has changed, not the whole list each time. Of a call of an earlier run, whose question is not
 * on the screen, the plan that was presented stands whole. Undefined for other calls, and for one that failed.
 */
export function planLines(
  event: RunEvent & { type: "tool_ended" },
  update: PlanUpdate | undefined,
  columns: number,
  stream: NodeJS.WriteStream,
): string[] | undefined {
  const { name, args, started, outcome, result } = event;
  const about = outcome === "success" && args ? planCallText({ name, args }) : undefined;
  if (about === undefined) return undefined;
  const dim = (text: string) => styleText("dim", text, { stream });
  const presented = presentedText(result);
  const head = `${styleText("green", "✓", { stream })} ${styleText("bold", name, { stream })} `;
  const steps = update ? updateLines(update).map((line) => dim(`    ${oneLine(line, columns - 4)}`)) : [];
  if (presented === undefined) return [head + oneLine(about, columns - name.length - 3), ...steps];
  const whole = started || typeof args?.plan !== "string" ? [] : visible(args.plan).trim().split("\n");
  const [said = "", ...more] = linesWrapped(visible(presented), columns - name.length - 3);
  const below = [...more, ...whole.flatMap((line) => wordWrapped(line, columns - 4))];
  return [head + said, ...below.map((line) => `    ${line}`.trimEnd()), ...steps];
}
