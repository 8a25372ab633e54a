import { type LogEvent, parseResults } from "@cogency/protocol";

/** The names of the skills that the model has read since the person last said something, in their order. */
export function activeSkills(events: readonly LogEvent[]): string[] {
  const names: string[] = [];
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    if (event?.type === "user" && event.origin === undefined) break;
    if (event?.type === "result") names.push(...readIn(event.content));
  }
  return [...new Set(names)];
}

function readIn(content: string): string[] {
  // Most results are of other tools, and some are long.
  if (!content.includes('"skill"')) return [];
  return (parseResults(content) ?? []).flatMap((result) => {
    if (result.tool !== "skill" || result.status !== "success") return [];
    const { skill } = (result.content ?? {}) as { skill?: unknown };
    return typeof skill === "string" ? [skill] : [];
  });
}
