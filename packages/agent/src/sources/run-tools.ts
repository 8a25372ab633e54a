import type { RecordEvent, ToolSpec } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { sha256 } from "@cogency/tools/host";
import { tellModel } from "../loop/tell-model.ts";
import type { RunContext } from "../run-context.ts";
import type { ChangingToolset, Toolset } from "../toolset.ts";
import type { WithClientTools } from "./client-toolset.ts";
import type { StepTools } from "./step-tools.ts";
import { differenceFrom, differenceNotice, isSame, type ToldTools, toldAfter, toldIn } from "./told-tools.ts";

/** Reads the sources for one run, knows what its model was told of them, and adds the tools that its client brings. */
export class RunTools implements StepTools {
  readonly #context: RunContext;
  /** The agent's own tools. */
  readonly #own: Toolset;
  readonly #addClient: WithClientTools;
  readonly #changing: ChangingToolset | undefined;
  #hasWaited = false;
  /** The tools of the sources that the toolset was made of. */
  #tools: readonly Tool[] = [];
  #toolset: Toolset | undefined;
  /** The toolset of the last step, and what it was made of. */
  #last: { of: Toolset; with: readonly ToolSpec[]; toolset: Toolset } | undefined;
  /** Whether tools are searched, and what is offered then: decided once, so that requests begin the same. */
  #search: { isOn: boolean; offered: readonly ToolSpec[] } | undefined;
  #hasRead = false;
  /** What the model knows; undefined if the log says nothing of it. */
  #told: ToldTools | undefined;

  constructor(context: RunContext) {
    this.#context = context;
    const { registry, runnable, offered, executor, finder, withClient, changing } = context.settings;
    this.#own = { registry, runnable, offered, executor, finder };
    this.#addClient = withClient;
    this.#changing = changing;
  }

  async take(resumes: boolean): Promise<void> {
    const context = this.#context;
    const changing = this.#changing;
    const toolset = this.#withClient(changing ? await this.#read(changing) : this.#own);
    const { settings, hooks } = context;
    const offered = hooks?.narrowed(toolset.offered) ?? toolset.offered;
    if (settings.registry !== toolset.registry || settings.offered !== offered)
      context.settings = { ...settings, ...toolset, offered };
    if (!changing) return;
    if (!this.#hasRead) this.#told = toldIn(await context.log.load());
    this.#hasRead = true;
    if (!resumes && !context.signal.aborted) await this.#tell(changing, toolset);
  }

  since(tool: Tool): "changed" | "gone" | undefined {
    const { sources } = this.#changing ?? {};
    if (sources?.hashOf(tool) === undefined) return undefined;
    const now = sources.find(tool.name);
    if (!now) return "gone";
    // A source may make all of its tools anew when one of them changes: the offered one runs, whose definition holds.
    return now === tool || hasSameDefinition(now, tool) ? undefined : "changed";
  }

  had(name: string): boolean {
    return this.#told !== undefined && (this.#told.gone.has(name) || this.#told.hashes.has(name));
  }

  isRedefined(tool: Tool): boolean {
    const hash = this.#changing?.sources.hashOf(tool);
    const told = this.#told?.hashes.get(tool.name);
    return hash !== undefined && told !== undefined && hash !== told;
  }

  async #read({ sources, toolsetOf }: ChangingToolset): Promise<Toolset> {
    if (!this.#hasWaited) await sources.ready(this.#context.signal);
    this.#hasWaited = true;
    const given = await sources.read();
    const taken = new Set(this.#context.clientTools.map(({ name }) => name));
    const tools = taken.size === 0 ? given : sources.without(taken, given);
    if (this.#toolset && sameItems(tools, this.#tools)) return this.#toolset;
    const toolset = toolsetOf(tools, this.#search);
    this.#search ??= { isOn: toolset.finder !== undefined, offered: toolset.offered };
    this.#tools = tools;
    this.#toolset = toolset;
    return toolset;
  }

  #withClient(toolset: Toolset): Toolset {
    const { clientTools } = this.#context;
    if (clientTools.length === 0) return toolset;
    if (this.#last?.of !== toolset || this.#last.with !== clientTools)
      this.#last = { of: toolset, with: clientTools, toolset: this.#addClient(toolset, clientTools) };
    return this.#last.toolset;
  }

  async #tell({ sources }: ChangingToolset, { runnable, finder }: Toolset): Promise<void> {
    const context = this.#context;
    const mayRun = new Set(runnable.map(({ name }) => name));
    const now = new Map(
      this.#tools.flatMap((tool) => (mayRun.has(tool.name) ? [[tool.name, sources.hashOf(tool) ?? ""] as const] : [])),
    );
    const difference = differenceFrom(this.#told, now);
    const notes = sources.notes();
    const hashes = await Promise.all(notes.map(async (note) => (await sha256(note)).slice(0, 16)));
    const isNoteNew = hashes.some((hash) => !this.#told?.notes.has(hash));
    if (this.#told && isSame(difference) && !isNoteNew) return;
    const { added, changed, gone } = difference;
    const tools = [...added, ...changed].map((name) => ({ name, hash: now.get(name) ?? "" }));
    const data = { tools, gone, notes: hashes };
    const record: RecordEvent = {
      type: "record",
      kind: "source_tools",
      data,
      timestamp: context.settings.clock(),
    };
    // The first request of a conversation describes them.
    const told = this.#told ? { ...difference, gone: gone.filter((name) => !mayRun.has(name)) } : nothing;
    this.#told = toldAfter(this.#told, data);
    if (isSame(told) && !isNoteNew) context.log.appendWithNext(Promise.resolve(record));
    else await tellModel(context, [differenceNotice(told, notes, finder !== undefined)], [record]);
  }
}

function sameItems<T>(some: readonly T[], others: readonly T[]): boolean {
  return some === others || (some.length === others.length && some.every((one, index) => one === others[index]));
}

function hasSameDefinition(...tools: readonly [Tool, Tool]): boolean {
  try {
    const texts = tools.map(({ definedBy, spec, annotations }) => JSON.stringify({ definedBy, spec, annotations }));
    return texts[0] === texts[1];
  } catch {
    // JSON cannot hold what has come: such a tool is left out.
    return false;
  }
}

const nothing = { added: [], changed: [], gone: [] };
