import { settlesWithin } from "@cogency/async";
import { definitionHash, type Tool, type ToolSource } from "@cogency/tools";
import { checkIsTool } from "@cogency/tools/host";

/**
 * The tools of an agent's sources as they are now. What is wrong with a source or with one of its tools is said once; it never ends a
 * run.
 */
export class SourceTools {
  readonly #sources: readonly ToolSource[];
  /** The names that no tool of a source may have. */
  readonly #taken: ReadonlySet<string>;
  readonly #warn: (message: string) => void;
  readonly #warned = new Set<string>();
  /** What the sources gave last. */
  #given: readonly (readonly unknown[])[];
  #tools: readonly Tool[] = [];
  #byName: ReadonlyMap<string, Tool> = new Map();
  /** By name, the index of the source whose tool has it: it keeps the name as long as it offers it. */
  #owners: ReadonlyMap<string, number> = new Map();
  readonly #hashes = new WeakMap<Tool, string>();
  /** A run has waited for them for as long as it does, and they still are not ready. */
  readonly #slow = new Set<ToolSource>();
  /** Tools whose definition JSON cannot hold. */
  readonly #unwritable = new WeakSet<object>();

  constructor(sources: readonly ToolSource[], taken: ReadonlySet<string>, warn: (message: string) => void) {
    this.#sources = sources;
    this.#taken = taken;
    this.#warn = warn;
    this.#given = sources.map(() => []);
  }

  /**
   * Resolves when every source is ready, when 2 s have passed, or when the signal has aborted. What a source brings later is there in a
   * later step. A source that has kept a run waiting for so long keeps no other one waiting until it is ready, or has failed.
   */
  async ready(signal: AbortSignal): Promise<void> {
    const waited = this.#sources.filter((source) => source.ready && !this.#slow.has(source));
    if (waited.length === 0 || signal.aborted) return;
    const late = new Set(waited);
    const waits = waited.map(async (source) => {
      try {
        await source.ready?.(signal);
      } catch (error) {
        if (!signal.aborted) this.#say(source, `is not ready: ${textOf(error)}`);
      }
      late.delete(source);
      this.#slow.delete(source);
    });
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    const isTooLate = !(await settlesWithin(Promise.race([Promise.all(waits), aborted.promise]), longestWait));
    signal.removeEventListener("abort", abort);
    if (!isTooLate) return;
    for (const source of late) {
      this.#slow.add(source);
      // One that has notes says by itself why its tools are not there.
      if (this.#notesOf(source).length > 0) continue;
      this.#say(source, "was not ready within 2 s. Runs go on without its tools until they come.");
    }
  }

  /** Reads the sources. The same array as long as none of them has changed. */
  now(): readonly Tool[] {
    const given = this.#sources.map((source, index) => this.#read(source, this.#given[index] ?? []));
    if (given.every((tools, index) => tools === this.#given[index])) return this.#tools;
    this.#given = given;
    this.#admit();
    return this.#tools;
  }

  /** As `now`, of tools whose hashes are known. */
  async read(): Promise<readonly Tool[]> {
    const tools = this.now();
    const unknown = tools.filter((tool) => !this.#hashes.has(tool));
    if (unknown.length === 0) return tools;
    await Promise.all(unknown.map((tool) => this.#hash(tool)));
    if (unknown.every((tool) => this.#hashes.has(tool))) return tools;
    this.#admit();
    return this.read();
  }

  /** The tools without those whose names a client has taken; `tools` itself if there are none. */
  without(names: ReadonlySet<string>, tools: readonly Tool[]): readonly Tool[] {
    const left = tools.filter(({ name }) => !names.has(name));
    if (left.length === tools.length) return tools;
    for (const { name } of tools) {
      if (names.has(name)) this.#leaveOut(this.#owners.get(name) ?? 0, name, "the client has one of that name");
    }
    return left;
  }

  /** The tool that has this name now. */
  find(name: string): Tool | undefined {
    this.now();
    return this.#byName.get(name);
  }

  /** The beginning of the hash of a definition; undefined for a tool of no source. */
  hashOf(tool: Tool): string | undefined {
    return this.#hashes.get(tool);
  }

  /** What the model should know about tools that are not there. */
  notes(): string[] {
    const notes = this.#sources.flatMap((source) => this.#notesOf(source));
    return [...new Set(notes.slice(0, mostNotes).map(oneLine))];
  }

  #notesOf(source: ToolSource): string[] {
    try {
      const own: unknown = source.notes?.() ?? [];
      if (Array.isArray(own)) return own.filter((note) => typeof note === "string" && note.trim() !== "");
      this.#say(source, "gave notes that are no array.");
    } catch (error) {
      this.#say(source, `could not give its notes: ${textOf(error)}`);
    }
    return [];
  }

  /** Those of the tools that have one of these names, for an agent that may use no other. */
  narrowed(names: ReadonlySet<string>): ToolSource {
    let all: readonly Tool[] | undefined;
    let own: readonly Tool[] = [];
    return {
      name: "the agent above",
      tools: () => {
        const tools = this.now();
        if (tools !== all) own = tools.filter(({ name }) => names.has(name));
        all = tools;
        return own;
      },
    };
  }

  /** What a source gives; `before` if that has not changed. */
  #read(source: ToolSource, before: readonly unknown[]): readonly unknown[] {
    let tools: readonly unknown[] = [];
    try {
      const given: unknown = source.tools();
      if (Array.isArray(given)) tools = given.slice(0, mostTools);
      else this.#say(source, "gave tools that are no array.");
      if (Array.isArray(given) && given.length > mostTools)
        this.#say(source, `has ${given.length} tools: the first ${mostTools} are used.`);
    } catch (error) {
      this.#say(source, `could not give its tools: ${textOf(error)}`);
    }
    return tools.length === before.length && tools.every((tool, index) => tool === before[index]) ? before : tools;
  }

  #admit(): void {
    const offers = new Map<string, Map<number, Tool>>();
    for (const [index, given] of this.#given.entries()) {
      for (const [nth, tool] of given.entries()) {
        const admitted = this.#admitted(index, tool, nth);
        if (!admitted) continue;
        const known = offers.get(admitted.name) ?? new Map<number, Tool>();
        offers.set(admitted.name, known);
        if (known.has(index)) this.#leaveOut(index, admitted.name, "it has another one of that name");
        else known.set(index, admitted);
      }
    }
    const owners = new Map<string, number>();
    for (const [name, by] of offers) {
      const before = this.#owners.get(name);
      const [first = 0] = by.keys();
      const owner = before !== undefined && by.has(before) ? before : first;
      owners.set(name, owner);
      for (const index of by.keys()) {
        if (index !== owner) this.#leaveOut(index, name, `the source ${this.#nameOf(owner)} has one of that name`);
      }
    }
    this.#owners = owners;
    this.#tools = [...offers].flatMap(([name, by]) => by.get(owners.get(name) ?? 0) ?? []);
    this.#byName = new Map(this.#tools.map((tool) => [tool.name, tool]));
  }

  #admitted(index: number, tool: unknown, nth: number): Tool | undefined {
    try {
      checkIsTool(tool, nth);
      if (this.#unwritable.has(tool)) return undefined;
      if (!this.#taken.has(tool.name)) return tool;
      this.#leaveOut(index, tool.name, "the agent has one of that name");
    } catch (error) {
      this.#leaveOut(index, undefined, textOf(error));
    }
    return undefined;
  }

  async #hash(tool: Tool): Promise<void> {
    try {
      this.#hashes.set(tool, (await definitionHash(tool)).slice(0, 16));
    } catch (error) {
      this.#unwritable.add(tool);
      this.#leaveOut(this.#owners.get(tool.name) ?? 0, tool.name, `JSON cannot hold its definition: ${textOf(error)}`);
    }
  }

  #leaveOut(index: number, name: string | undefined, why: string): void {
    const source = this.#sources[index];
    if (source)
      this.#say(source, `offers ${name === undefined ? "a tool" : `the tool ${name}`}, which is left out: ${why}`);
  }

  #nameOf(index: number): string {
    return JSON.stringify(this.#sources[index]?.name);
  }

  /** Says it once, and no more than so many things: a source may change all the time. */
  #say({ name }: ToolSource, what: string): void {
    const message = `The tool source ${JSON.stringify(name)} ${oneLine(what)}`;
    if (this.#warned.has(message) || this.#warned.size >= mostWarnings) return;
    this.#warned.add(message);
    this.#warn(message);
  }
}

/** Milliseconds that a run waits for its sources. */
const longestWait = 2_000;
/** Of one source. */
const mostTools = 10_000;
const mostNotes = 20;
const mostWarnings = 200;
const longestLine = 400;

/** In one line, without characters that nobody sees. */
function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line;
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "it threw what has no text";
  }
}
