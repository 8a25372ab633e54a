import type { Agent } from "@cogency/agent";
import type { VariantParts } from "@cogency/rerun";
import type { Store } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import { note } from "../../base/terminal/note.ts";
import { type ApprovalOptions, createApproval } from "../../person/approval/approval.ts";
import type { Options } from "../../place/config/option-table.ts";
import { ownPaths } from "../../place/own-paths.ts";
import type { ChosenModel } from "../../work/choose-model.ts";
import { endWork } from "../../work/end-work.ts";
import { openJobsFor } from "../../work/jobs.ts";
import { type AgentChoice, type OpenAgent, openAgent } from "../../work/open-agent.ts";
import { copiedFolder } from "./copied-folder.ts";

export type ComparedChoice = AgentChoice & ApprovalOptions & Required<Options<"store">>;

/** The agent of one run after another. */
export interface ComparedAgents {
  /** Ends what the run before has left, and makes the agent of the next one. */
  next(model: ChosenModel, parts: VariantParts): Promise<Agent>;
  /** Ends what the last run has left. */
  close(): Promise<void>;
}

/**
 * Makes agents as `run` does, with a store of their own.
 *
 * @param runsTools whether their tools run: each agent then works in a copy of the root
 */
export function comparedAgents(
  options: ComparedChoice,
  keyRing: KeyRing,
  { runsTools, signal }: { runsTools: boolean; signal: AbortSignal },
): ComparedAgents {
  let close = async () => {};

  async function open(model: ChosenModel, store: Store): Promise<Agent> {
    const copy = runsTools ? await copiedFolder(options.root, signal, ownPaths(options.store)) : undefined;
    let opened: OpenAgent | undefined;
    const jobs = openJobsFor(options, {
      warn: note,
      send: async (to, notice) => opened?.agent.send(to, notice),
    });
    close = async () => {
      close = async () => {};
      await endWork(jobs, opened).finally(() => copy?.remove());
    };
    const parts = { ...model, store, place: options.store, keyRing, jobs, copy: copy?.path, replays: true };
    opened = await openAgent(options, parts, (surroundings, rules, asked) =>
      createApproval(options, surroundings, undefined, rules, { asked }),
    );
    return opened.agent;
  }

  return {
    async next(model, { store }) {
      await close();
      return open(model, store);
    },
    close: () => close(),
  };
}
