import type { NamedServer } from "@cogency/acp";
import { type Agent, createAgent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { isOwnerGone, leaseOwner } from "@cogency/storage-sqlite/lease-owner";
import type { Root } from "@cogency/toolbox";
import type { Jobs } from "@cogency/toolbox/shell";
import { openUndo } from "@cogency/toolbox/undo";
import type { Approval, KeyRing, Tool } from "@cogency/tools";
import { scopeOf } from "../base/scope-of.ts";
import { noteOnce } from "../base/terminal/note.ts";
import type { AskedTools } from "../person/approval/approval.ts";
import { openProject, type Project } from "../place/config/open-project.ts";
import type { Options } from "../place/config/option-table.ts";
import { instructionsOf } from "../place/context-files.ts";
import { findServers } from "../place/mcp/find-servers.ts";
import { withServersOfEditor } from "../place/mcp/servers-of-editor.ts";
import { madeOwnPaths } from "../place/own-paths.ts";
import type { RuleSurroundings } from "../place/rules/allow-rules.ts";
import { type FileRules, type KeptRules, keptRules } from "../place/rules/kept-rules.ts";
import { madeUndoFolder } from "../place/store/undo-folder.ts";
import { askedTools } from "./asked-tools.ts";
import { changedFilesHook } from "./changed-files/changed-files-hook.ts";
import { checkMode } from "./check-mode.ts";
import type { ChosenModel } from "./choose-model.ts";
import { closeParts } from "./close-parts.ts";
import { type OpenCommands, openCommands } from "./commands/open-commands.ts";
import { type CompactionChoice, compactionFor } from "./compaction.ts";
import { type PromptSection, promptSections } from "./context/prompt-sections.ts";
import { openExtensions } from "./extensions/open-extensions.ts";
import { jobsGoneHook } from "./jobs.ts";
import { keptOutput } from "./kept-output.ts";
import { budgetOf, type LimitOptions } from "./limits.ts";
import type { MemoryChoice } from "./memory/open-memory.ts";
import type { OpenPart } from "./open-part.ts";
import { type OpenParts, openParts } from "./open-parts.ts";
import { type EditorPorts, openRootFor, openTools, type ToolOptions } from "./open-tools.ts";
import type { ModeControl } from "./plan/open-plan.ts";
import type { ProviderChoice } from "./provider/choose-provider.ts";
import { surroundingsOf } from "./surroundings.ts";
import { systemPrompt } from "./system-prompt.ts";
import { thinkingProblem } from "./thinking.ts";

/** What an agent is made of. */
export interface AgentChoice
  extends ToolOptions,
    LimitOptions,
    CompactionChoice,
    ProviderChoice,
    MemoryChoice,
    Options<"wait" | "system" | "redact" | "forward" | "config" | "think"> {
  /** Whether AGENTS.md files, skills, agents and commands of the project are read. Defaults to true. */
  contextFiles?: boolean;
}

/** What the agent works with besides its tools. */
export interface AgentParts extends ChosenModel {
  store: Store;
  /** Where the store is. Its files are out of reach of the tools. */
  place: string;
  keyRing: KeyRing;
  /** The commands in the background. */
  jobs: Jobs;
  /** The editor that the person works in, and the MCP servers that it names. */
  editor?: EditorPorts | undefined;
  servers?: readonly NamedServer[] | undefined;
  /** Without it, the mode stays as the options say. */
  modes?: ModeControl | undefined;
  /**
   * A copy of the root that the tools work in, in place of the root itself. What the project says to the model comes from the root. Nothing
   * is kept for an undo, and no servers are started.
   */
  copy?: string | undefined;
  /** Whether each request holds the whole conversation, also where the provider keeps sessions. */
  replays?: boolean | undefined;
}

/** An agent and what its tools reach. */
export interface OpenAgent extends OpenParts {
  agent: Agent;
  root: Root;
  tools: readonly Tool[];
  commands: OpenCommands;
  /** The rules of files, and what the meaning of rules depends on. */
  kept: FileRules;
  surroundings: RuleSurroundings;
  /** The parts of the system prompt that have names. */
  sections: readonly PromptSection[];
  /** Closes what its parts hold. Its runs have ended. Never rejects, and takes 2 s at most. */
  close(): Promise<void>;
}

/**
 * Makes the agent that works in a folder. `approvalFor` says which calls run, and who is asked.
 *
 * @throws UsageError for a root, a search service, a network, a rule, a mode or a sandbox that cannot be used
 */
export async function openAgent(
  given: AgentChoice,
  {
    provider,
    driver,
    prices,
    served,
    store,
    place,
    keyRing,
    jobs,
    modes,
    copy,
    replays,
    editor,
    servers = [],
  }: AgentParts,
  approvalFor: (surroundings: RuleSurroundings, rules: KeptRules, asked: AskedTools) => Approval,
): Promise<OpenAgent> {
  const options = copy === undefined ? given : { ...given, root: copy, servers: false as const };
  await checkMode(options);
  // Rules and tools share one root: a rule for commands is valid only if programs in this root can be isolated.
  const copies = copy === undefined ? await madeUndoFolder(place) : undefined;
  const guarded = madeOwnPaths(place);
  const root = await openRootFor(options, guarded);
  const extensions = await openExtensions(options);
  const project = inCopy(await openProject(given.root), copy);
  const found = withServersOfEditor(findServers(project, options.config), servers);
  const surroundings = await surroundingsOf(root, options, { tools: extensions.tools, servers: found.servers });
  const kept = keptRules(project, surroundings);
  const approval = approvalFor(surroundings, kept, askedTools(scopeOf(given.root), found.servers));
  const tools = await openTools(root, options, store, {
    jobs,
    // What is tried in a copy is not for the person to see.
    editor: copy === undefined ? editor : undefined,
    undo: copies === undefined ? undefined : openUndo({ folder: copies, keyRing }),
    outputs: keptOutput(copy === undefined ? place : ":memory:", options.redact),
  });
  const texts = {
    root: root.base,
    isMarked: (real: string) => root.isMarked(real),
    ofProject: options.contextFiles !== false,
  };
  const { text, content } = texts.ofProject ? instructionsOf(project, texts.isMarked) : nothing;
  const sources = { project, found, texts, options, extensions, tools, context: text, provider, store, modes, guarded };
  const parts = await openParts(sources);
  const opened: readonly OpenPart[] = Object.values(parts);
  const capabilities = opened.flatMap((part) => part.capabilities);
  const unused = options.think === undefined ? undefined : thinkingProblem(provider);
  if (unused !== undefined) noteOnce(unused);
  // What a tool of an extension or a server claims is no reason to tell of changes that it has made itself.
  const looking = new Set(tools.filter(({ annotations }) => annotations.readOnlyHint === true).map(({ name }) => name));
  const changes: Parameters<typeof changedFilesHook>[0] = {
    base: root.base,
    isReadOnly: (tool) => looking.has(tool),
    send: (to, notice, id) => agent.send(to, notice, { id }),
  };
  const base: Agent = createAgent({
    provider,
    tools,
    store,
    driver,
    prices,
    history: compactionFor(options, { served }),
    keyRing,
    recordRequests: true,
    mode: replays ? "replay" : "auto",
    ...(parts.mcp.toolSearch && { toolSearch: parts.mcp.toolSearch }),
    ...(options.think !== undefined && { request: { thinking: options.think } }),
    whenUnanswered: options.wait ? "wait" : "deny",
    scope: scopeOf(given.root),
    lease: { owner: leaseOwner(), isGone: isOwnerGone },
    ...systemPrompt(
      options,
      tools.map(({ name }) => name),
      text,
    ),
    instructionsHold: content,
    budget: budgetOf(options),
    execution: { approval, earlyStart: true },
    hooks: [jobsGoneHook(jobs), ...(copy === undefined ? [changedFilesHook(changes)] : [])],
  });
  const agent: Agent = capabilities.reduce((before, capability) => before.use(capability), base);
  const all = [...tools, ...capabilities.flatMap((capability) => capability.tools ?? [])];
  const sections = promptSections(text, capabilities);
  const commands = openCommands(
    project,
    { ...texts, surroundings, guarded: root.guarded },
    extensions,
    parts.mcp.servers,
  );
  return { ...parts, agent, root, tools: all, commands, kept, surroundings, sections, close: () => closeParts(opened) };
}

/** The hooks of the project run in the copy. */
function inCopy(project: Project, copy: string | undefined): Project {
  return copy === undefined ? project : { ...project, hooks: { ...project.hooks, folder: copy } };
}

const nothing = { text: undefined, content: [] };
