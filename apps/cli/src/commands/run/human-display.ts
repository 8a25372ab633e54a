import { styleText } from "node:util";
import type { RunResult } from "@cogency/agent";
import { planTool } from "@cogency/plan/log";
import { parseResults, type RunEvent, type ToolResult, type UserEvent } from "@cogency/protocol";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { complain } from "../../base/errors/message-of.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { untold } from "../../base/errors/untold.ts";
import { put } from "../../base/terminal/output.ts";
import { counted, oneLine, visible, wrappedFor } from "../../base/terminal/text.ts";
import { AgentPaths, type PlacedEvent } from "../../person/show/agent-paths.ts";
import { callLine, resultLine } from "../../person/show/call-lines.ts";
import { diffLines, diffOf } from "../../person/show/diff-lines.ts";
import { outsideNotice } from "../../person/show/outside-notice.ts";
import type { RunDisplay } from "../../person/show/run-display.ts";
import { summedUp } from "../../person/show/summed-up.ts";
import { waitingText } from "../../person/show/waiting-text.ts";
import { createLiveLine } from "../../screen/live-line.ts";
import { unshownResults } from "./unshown-results.ts";

/**
 * Writes the answer to stdout as it arrives, or the object that it is once it fits; and everything else to stderr. On a terminal both
 * read as one page. A quiet one shows neither calls nor totals.
 */
export function humanDisplay(kind: "text" | "object", { quiet }: { quiet?: true | undefined } = {}): RunDisplay {
  const { stdout, stderr } = process;
  let hasAnswered = false;
  let unit: { number: number | undefined } | undefined;
  /** The kind of the last output: answers and questions are text. A blank line separates text from what follows. */
  let last: "text" | "note" | undefined;
  let held: string[] | undefined;
  /** The problem that was shown last. The run may end with the same one, which is not shown again. */
  let told = "";
  /** What was said of settings that the model does not take. */
  const ignored = new Set<string>();
  const diffs = new Map<string, string[]>();
  const paths = new AgentPaths();
  /** The tools that were asked about, by the question. */
  const asked = new Map<string, string>();
  /** The message that the next events came from. */
  let received: string | undefined;
  /** The results that were shown since results were last stored. */
  let shown: ToolResult[] = [];
  const live = createLiveLine(stderr, () => !quiet && unit === undefined && held === undefined);

  const answer = (text: string, number: number | undefined) => {
    live.clear();
    if (unit && (number === undefined || unit.number !== number)) endUnit();
    if (!unit) {
      if (hasAnswered) void put("\n");
      else if (last !== undefined) stderr.write("\n");
    }
    void put(stdout.isTTY ? visible(text) : text);
    unit = { number };
    hasAnswered = true;
    last = "text";
  };
  const endUnit = () => {
    if (unit) void put("\n");
    unit = undefined;
  };
  const note = (line: string) => {
    if (held) return void held.push(line);
    endUnit();
    live.clear();
    stderr.write(last === "text" ? `\n${line}\n` : `${line}\n`);
    last = "note";
  };
  const warn = (message: string) => {
    told = message;
    const lines = wrappedFor(stderr, `! ${oneLine(redacted(inPlainWords(message)), 300)}`);
    note(`${styleText("yellow", "!", { stream: stderr })}${lines.slice(1)}`);
  };
  const remark = (line: string) => {
    if (!quiet) note(line);
  };
  const remarkNotice = (event: UserEvent) => {
    const notice = outsideNotice(event);
    if (notice !== undefined) remark(styleText("dim", wrappedFor(stderr, notice), { stream: stderr }));
  };
  const ended = ({ event, path, place }: PlacedEvent & { event: { type: "tool_ended" } }) => {
    const { id, name, args, started, result } = event;
    if (!started) remark(callLine({ name, args }, stderr, path));
    const changed = diffLines(diffs.get(place + id) ?? [], stderr);
    diffs.delete(place + id);
    if (path.length === 0) shown.push(result);
    // The line of the call says all of a plan that was written.
    if (name !== planTool || result.status === "failure")
      remark([resultLine(result, stderr, path), ...changed].join("\n"));
  };
  /** Shows a call, of the agent that was asked or of one that it has started. Returns whether the event is about one. */
  const called = (placed: PlacedEvent) => {
    const { event, path, place } = placed;
    switch (event.type) {
      case "tool_started":
        remark(callLine(event, stderr, path));
        return true;
      case "tool_progress": {
        const diff = diffOf(event.update);
        const key = place + event.id;
        if (diff !== undefined) diffs.set(key, [...(diffs.get(key) ?? []), diff]);
        return true;
      }
      case "tool_ended":
        ended({ ...placed, event });
        return true;
      default:
        return path.length > 0;
    }
  };
  const settledElsewhere = ({ question, decision, reason }: RunEvent & { type: "approval_settled" }) => {
    const name = oneLine(asked.get(question) ?? "the call", 64);
    const why = decision === "denied" && reason !== undefined ? `: ${oneLine(reason, 200)}` : ".";
    note(`${name} was ${decision} from elsewhere${why}`);
  };
  /** Shows the results of calls that an earlier run began. */
  const stored = (results: readonly ToolResult[]) => {
    for (const result of unshownResults(results, shown)) remark(resultLine(result, stderr));
    shown = [];
  };

  return {
    event(event) {
      live.event(event);
      if (called(paths.read(event))) return;
      switch (event.type) {
        case "respond":
          if (kind === "text") answer(event.content, event.unit);
          return;
        case "error":
          warn(event.content);
          return;
        case "compacted":
          remark(styleText("dim", summedUp(event), { stream: stderr }));
          return;
        case "setting_ignored":
          if (!ignored.has(event.message)) warn(event.message);
          ignored.add(event.message);
          return;
        case "extraction_failed":
        case "validation_failed":
          warn(event.message);
          return;
        case "result":
          endUnit();
          stored(parseResults(event.content) ?? []);
          return;
        case "approval_requested":
          asked.set(event.question, event.name);
          return;
        case "message_received":
          if (event.refused === undefined) received = event.kind;
          else warn(`A message was not taken: ${event.refused}`);
          return;
        case "approval_settled":
          if (received === "approve" || received === "deny") settledElsewhere(event);
          received = undefined;
          return;
        case "user":
          if (received === "steer" || received === "prompt")
            remark(styleText("bold", `> ${oneLine(event.content, 300)}`, { stream: stderr }));
          else remarkNotice(event);
          return;
        case "step_started":
          received = undefined;
          return;
        case "think":
        case "call":
        case "end":
        case "metric":
          endUnit();
      }
    },
    pause() {
      endUnit();
      live.clear();
      if (last !== undefined) stderr.write("\n");
      held = [];
      last = "text";
    },
    resume() {
      const lines = held ?? [];
      held = undefined;
      lines.forEach(note);
    },
    end({ result, conversation, seconds, again }) {
      if (result.object !== undefined)
        answer(JSON.stringify(result.object, undefined, stdout.isTTY ? 2 : 0), undefined);
      // The beginning of an answer that was cut off.
      if (kind === "text" && !hasAnswered && result.text !== "") answer(result.text, undefined);
      endUnit();
      live.clear();
      if (result.error) {
        if (last === "text") stderr.write("\n");
        complain(untold(result.error, told));
        last = "note";
      } else if (result.stop && result.stop.message !== told) {
        warn(result.stop.message);
      }
      for (const question of result.waiting ?? []) note(waitingText(question, conversation, stderr));
      if (result.waiting) note(howToAnswer(again));
      if (result.steps === 0) return;
      const totals = wrappedFor(stderr, summary(result, conversation, seconds));
      remark(styleText("dim", totals, { stream: stderr }));
      if (again !== undefined) remark(styleText("dim", again, { stream: stderr }));
    },
  };
}

function howToAnswer(again: string | undefined): string {
  const where = again === undefined ? "" : ` At a terminal, ${again} asks; with --deny it refuses.`;
  return `Waiting for approval.${where}`;
}

function summary({ steps, usage, cost }: RunResult, conversation: string, seconds: number): string {
  const { input, cacheRead, cacheWrite, output, estimated } = usage;
  const about = estimated ? "about " : "";
  const tokens = `${about}${input + cacheRead + cacheWrite} tokens in, ${output} out`;
  const costs = cost === undefined ? "" : ` · cost ${about}${amountOf(cost)}`;
  const name = oneLine(conversation, 80);
  return `conversation ${name} · ${counted(steps, "step")} · ${tokens}${costs} · ${seconds.toFixed(1)} s`;
}

/** An amount in the currency of the prices. Small amounts keep two significant digits. */
function amountOf(cost: number): string {
  return cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toFixed(Math.min(12, 1 - Math.floor(Math.log10(cost))));
}
