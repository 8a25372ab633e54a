import type { Result } from "../figures/figures.ts";
import type { Work } from "../figures/work.ts";

/** How a peer did the eight steps, in one line. */
export function workText(result: Result<Work>): string {
  if ("failed" in result) return "did not run";
  const { done, undone, questions, left } = result.value;
  const all = done.length + undone.length;
  const lacks = undone.length > 0 ? ` (not: ${undone.join(", ")})` : "";
  return `${done.length} of ${all}${lacks} · ${counted(questions, "question")} · ${leftText(left)}`;
}

function leftText(left: readonly string[]): string {
  const servers = left.filter((words) => words.includes("server.js")).length;
  const own = left.length - servers;
  const parts = [
    ...(servers > 0 ? ["the server"] : []),
    ...(own > 0 ? [`${counted(own, "process", "processes")} of its own`] : []),
  ];
  return parts.length > 0 ? `left running: ${parts.join(" and ")}` : "nothing left running";
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
