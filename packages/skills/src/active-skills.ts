import { type LogEvent, parseResults } from "@cogency/protocol";

/** The names of the skills that the model has read since the person last said something, in their order. */
export function activeSkills(events: readonly LogEvent[]): string[] {
  const start = events.findLastIndex((event) => event.type === "user" && event.origin === undefined) + 1;
  const asked = new Map<string, string>();
  const names: string[] = [];
  for (const event of events.slice(start)) {
    if (event.type === "call" && event.id !== undefined) asked.set(event.id, event.content);
    if (event.type === "result")
      names.push(
        ...readIn(
          event.content,
          event.ids?.map((id) => asked.get(id)),
        ),
      );
  }
  return [...new Set(names)];
}

/** @param calls the texts of the calls, in the order of the results */
function readIn(content: string, calls: readonly (string | undefined)[] = []): string[] {
  // Most results are of other tools, and some are long.
  if (!content.includes('"skill"')) return [];
  return (parseResults(content) ?? []).flatMap((result, index) => {
    if (result.tool !== "skill" || result.status !== "success") return [];
    const { skill } = (result.content ?? {}) as { skill?: unknown };
    // Of a long skill the result is the beginning and the end of its text.
    return typeof skill === "string" ? [skill] : askedFor(calls[index]);
  });
}

function askedFor(call: string | undefined): string[] {
  try {
    const { args } = JSON.parse(call ?? "") as { args?: { name?: unknown } };
    return typeof args?.name === "string" ? [args.name] : [];
  } catch {
    return [];
  }
}
