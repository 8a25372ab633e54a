import { type Agent, type Capability, createAgent } from "@cogency/agent";
import type { Store } from "@cogency/storage";
import { isOwnerGone, leaseOwner } from "@cogency/storage-sqlite/lease-owner";
import type { Root } from "@cogency/toolbox";
import { type Jobs, shellIsolation } from "@cogency/toolbox/shell";
import { openUndo } from "@cogency/toolbox/undo";
import type { Approval, KeyRing, Tool } from "@cogency/tools";
import { scopeOf } from "../base/scope-of.ts";
import { openProject } from "../place/config/open-project.ts";
import type { Options } from "../place/config/option-table.ts";
import { instructionsOf } from "../place/context-files.ts";
import { madeOwnPaths } from "../place/own-paths.ts";
import type { RuleSurroundings } from "../place/rules/allow-rules.ts";
import { type KeptRules, keptRules } from "../place/rules/kept-rules.ts";
import { madeUndoFolder } from "../place/store/undo-folder.ts";
import type { TextSources } from "../place/texts/find-texts.ts";
import { type OpenAgents, openAgents } from "./agents/open-agents.ts";
import { checkMode } from "./check-mode.ts";
import type { ChosenModel } from "./choose-model.ts";
import { type OpenCommands, openCommands } from "./commands/open-commands.ts";
import { type CompactionChoice, compactionFor } from "./compaction.ts";
import { jobsGoneHook } from "./jobs.ts";
import { keptOutput } from "./kept-output.ts";
import { budgetOf, type LimitOptions } from "./limits.ts";
import { openRootFor, openTools, type ToolOptions } from "./open-tools.ts";
import type { ProviderChoice } from "./provider/choose-provider.ts";
import { type OpenSkills, openSkills } from "./skills/open-skills.ts";
import { systemPrompt } from "./system-prompt.ts";

/** What an agent is made of. */
export interface AgentChoice
  extends ToolOptions,
    LimitOptions,
    CompactionChoice,
    ProviderChoice,
    Options<"wait" | "system" | "redact" | "forward"> {
  /** Whether AGENTS.md files, skills and commands of the project are read. Defaults to true. */
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
}

/** An agent and what its tools reach. */
export interface OpenAgent {
  agent: Agent;
  root: Root;
  tools: readonly Tool[];
  skills: OpenSkills;
  agents: OpenAgents | undefined;
  commands: OpenCommands;
}

/**
 * Makes the agent that works in a folder. `approvalFor` says which calls run, and who is asked.
 *
 * @throws UsageError for a root, a search service, a network, a rule, a mode or a sandbox that cannot be used
 */
export async function openAgent(
  options: AgentChoice,
  { provider, driver, prices, served, store, place, keyRing, jobs }: AgentParts,
  approvalFor: (surroundings: RuleSurroundings, rules: KeptRules) => Approval,
): Promise<OpenAgent> {
  await checkMode(options);
  // Rules and tools share one root: a rule for commands is valid only if programs in this root can be isolated.
  const copies = await madeUndoFolder(place);
  const root = await openRootFor(options, madeOwnPaths(place));
  const surroundings = await surroundingsOf(root, options);
  const project = await openProject(options.root);
  const approval = approvalFor(surroundings, keptRules(project, surroundings));
  const tools = await openTools(root, options, store, {
    jobs,
    undo: copies === undefined ? undefined : openUndo({ folder: copies, keyRing }),
    outputs: keptOutput(place, options.redact),
  });
  const { text, content } =
    options.contextFiles === false ? nothing : instructionsOf(project, (real) => root.isMarked(real));
  const skills =
    options.tools?.includes("skill") === false ? noSkills : await openSkills(project, textSources(root, options));
  const agents =
    options.tools?.includes("agent") === false
      ? undefined
      : await openAgents(project, textSources(root, options), { options, tools, context: text, provider });
  const capabilities: Capability[] = [skills.capability, agents?.capability].filter(
    (capability) => capability !== undefined,
  );
  const base: Agent = createAgent({
    provider,
    tools,
    store,
    driver,
    prices,
    history: compactionFor(options, { served }),
    keyRing,
    recordRequests: true,
    whenUnanswered: options.wait ? "wait" : "deny",
    scope: scopeOf(options.root),
    lease: { owner: leaseOwner(), isGone: isOwnerGone },
    ...systemPrompt(
      options,
      tools.map(({ name }) => name),
      text,
    ),
    instructionsHold: content,
    budget: budgetOf(options),
    execution: { approval, earlyStart: true },
    hooks: [jobsGoneHook(jobs)],
  });
  const agent = capabilities.reduce((before, capability) => before.use(capability), base);
  const commands = openCommands(project, { ...textSources(root, options), surroundings, guarded: root.guarded });
  return {
    agent,
    root,
    tools: [...tools, ...capabilities.flatMap((capability) => capability.tools ?? [])],
    skills,
    agents,
    commands,
  };
}

const nothing = { text: undefined, content: [] };
const noSkills: OpenSkills = { skills: [], problems: [], unseen: [], capability: undefined };

function textSources(root: Root, { contextFiles }: AgentChoice): TextSources {
  return { root: root.base, isMarked: (real) => root.isMarked(real), ofProject: contextFiles !== false };
}

async function surroundingsOf(root: Root, { sandbox, network = [] }: ToolOptions): Promise<RuleSurroundings> {
  const { isolated } = await shellIsolation(root, { sandbox });
  return { base: root.base, isolated, hosts: network.filter((host) => host !== "full") };
}
