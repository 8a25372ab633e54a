import type { LogEvent, RecordEvent } from "@cogency/protocol";

/** What the model knows of the tools of sources. */
export interface ToldTools {
  /** The hash of each tool's definition. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The names of those that it knew, and does not have any more. */
  readonly gone: ReadonlySet<string>;
  /** The hashes of the notes that it was told last. */
  readonly notes: ReadonlySet<string>;
}

/** How the tools of sources differ from those that the model knows: names. */
export interface ToolDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** What the records of a log say; undefined if it has none. A log from elsewhere may hold anything. */
export function toldIn(log: readonly LogEvent[]): ToldTools | undefined {
  let told: ToldTools | undefined;
  for (const event of log) {
    if (event.type === "record" && event.kind === "source_tools") told = toldAfter(told, event.data);
  }
  return told;
}

type Data = Extract<RecordEvent, { kind: "source_tools" }>["data"];

/** What the model knows after a record. */
export function toldAfter(before: ToldTools | undefined, data: Data): ToldTools {
  const { tools, gone, notes } = (data ?? {}) as { [part in keyof Data]?: unknown };
  const hashes = new Map(before?.hashes);
  const lost = new Set(before?.gone);
  for (const name of texts(gone)) {
    hashes.delete(name);
    lost.add(name);
  }
  for (const tool of Array.isArray(tools) ? tools : []) {
    const { name, hash } = (tool ?? {}) as { name?: unknown; hash?: unknown };
    if (typeof name !== "string" || typeof hash !== "string") continue;
    hashes.set(name, hash);
    lost.delete(name);
  }
  return { hashes, gone: lost, notes: new Set(texts(notes)) };
}

export function differenceFrom(told: ToldTools | undefined, now: ReadonlyMap<string, string>): ToolDifference {
  const names = [...now.keys()];
  const hashes = told?.hashes ?? new Map<string, string>();
  return {
    added: names.filter((name) => !hashes.has(name)),
    changed: names.filter((name) => hashes.has(name) && hashes.get(name) !== now.get(name)),
    gone: [...hashes.keys()].filter((name) => !now.has(name)),
  };
}

export function isSame({ added, changed, gone }: ToolDifference): boolean {
  return added.length + changed.length + gone.length === 0;
}

/** The words for the model. */
export function differenceNotice(
  { added, changed, gone }: ToolDifference,
  notes: readonly string[],
  isSearched: boolean,
): string {
  const lists = [
    ...listOf(isSearched ? "New, to be found with find_tools" : "New", added),
    ...listOf(isSearched ? "Changed, so find them again before you call them" : "Changed, so read them again", changed),
    ...listOf("No longer there", gone),
  ];
  const heading = lists.length > 0 ? "Your tools have changed." : "About your tools:";
  return [[heading, ...lists].join(" "), ...notes].join("\n");
}

const mostNames = 20;

function listOf(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - mostNames;
  return [`${what}: ${names.slice(0, mostNames).join(", ")}${more > 0 ? `, and ${more} more` : ""}.`];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
