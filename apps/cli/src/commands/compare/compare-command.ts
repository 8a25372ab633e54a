import { existsSync } from "node:fs";
import { CompareError, type Comparison, compare, stepsAtMost, type VariantRun } from "@cogency/rerun";
import { redactSecrets, type Store, type StoredEvent } from "@cogency/storage";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { saveFile } from "../../base/files/save-file.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { counted, oneLine, widthOr } from "../../base/terminal/text.ts";
import type { TypedOptions } from "../../place/config/typed-words.ts";
import { installationKeys } from "../../place/installation-keys.ts";
import { conversationPages } from "../../place/store/conversation-pages.ts";
import { findConversation, scopeIn } from "../../place/store/find-conversation.ts";
import { isOfStore } from "../../place/store/store-files.ts";
import { readHistory, withHistory } from "../../place/store/with-history.ts";
import type { ModelChoice } from "../../work/choose-model.ts";
import { type ComparedChoice, comparedAgents } from "./compared-agent.ts";
import { type ComparedModel, comparedModels } from "./compared-models.ts";
import { comparisonPage } from "./comparison-page.ts";
import { firstEvent } from "./first-event.ts";
import { jsonComparison } from "./json-comparison.ts";
import { keepForks } from "./keep-forks.ts";
import { isPlanAgreed } from "./planned-runs.ts";
import { textComparison } from "./text-comparison.ts";

export interface CompareCommandOptions extends Omit<ComparedChoice & ModelChoice, "model"> {
  /** Several. */
  model?: readonly string[];
  /** The number of an event, or `message:3`. */
  from?: string;
  calls?: "recorded" | "run";
  repeat?: number;
  json?: true;
  /** A file for the page. */
  page?: string;
  force?: true;
  raw?: true;
  keep?: true;
  all?: true;
  typed: TypedOptions;
}

/** A conversation that is compared. */
interface Compared {
  readonly conversation: string;
  readonly log: readonly StoredEvent[];
  readonly from: number | undefined;
}

/**
 * `cogency compare`: runs conversations again with other models, and shows the difference.
 *
 * @returns the exit code
 * @throws UsageError for conversations, points, models and files that cannot be used
 */
export async function compareCommand(
  wanted: readonly string[],
  options: CompareCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  check(wanted, options);
  const { store: place, page, keep } = options;
  const conversations = await readHistory({ store: place }, (store) => comparedIn(wanted, store, options));
  // Here `yes` agrees to the costs, and to no call.
  const { yes: _yes, model: names = [], ...choice } = options;
  const models = await comparedModels(choice, names);
  const steps = conversations.reduce((sum, { log, from }) => sum + stepsAtMost(log, from), 0) * (options.repeat ?? 1);
  const isAgreedTo = options.typed.yes === true;
  if (!(await isPlanAgreed(models, steps, { isAgreedTo, terminal: terminalHere() }))) return exitCodes.SIGINT;
  const comparisons = await cancellation.during((signal) => compareAll(conversations, models, choice, signal));
  if (!comparisons) return cancellation.exitCode;
  if (keep) await withHistory({ store: place }, (store) => keepForks(comparisons, store));
  if (page !== undefined) {
    const shown = options.raw ? (text: string) => text : redactSecrets;
    await saveFile("--page", page, [comparisonPage(comparisons, shown)], options.force === true);
    note(
      `wrote the page to ${oneLine(page, 200)}${options.raw ? "" : ": what looks like a secret is redacted; --raw keeps it"}`,
    );
  }
  if (options.json) await putLine(jsonComparison(comparisons));
  else await put(`${textComparison(comparisons, widthOr(process.stdout, Number.POSITIVE_INFINITY)).join("\n")}\n`);
  return exitCodes.done;
}

/** @throws UsageError */
function check(
  wanted: readonly string[],
  { all, from, page, store, force, raw, calls, access, sandbox }: CompareCommandOptions,
) {
  if (all ? wanted.length > 0 : wanted.length === 0)
    throw new UsageError("Name the conversations to compare, or give --all for those of this folder.");
  if (from !== undefined && (all || wanted.length > 1))
    throw new UsageError("--from is a point of one conversation: name only that one.");
  if (page !== undefined && isOfStore(page, store))
    throw new UsageError("--page is the store itself. Give another file.");
  // Before anything is paid for.
  if (page !== undefined && !force && existsSync(page))
    throw new UsageError(`--page ${oneLine(page, 200)}: it exists. Give --force to overwrite it.`);
  if (page === undefined && (force || raw))
    throw new UsageError(`${force ? "--force" : "--raw"} is for the page. Give --page, too, or leave it out.`);
  if (calls !== "run") return;
  if (access === "system")
    throw new UsageError(
      "--calls run works in a copy of the folder, and --access system reaches beyond it: leave one out.",
    );
  if (sandbox === "off")
    throw new UsageError(
      "--calls run needs the sandbox, which keeps commands in the copy of the folder: leave --sandbox off out.",
    );
}

/** Reads the conversations. Of several, those that cannot be compared are left out with a remark. */
async function comparedIn(
  wanted: readonly string[],
  store: Store,
  options: CompareCommandOptions,
): Promise<Compared[]> {
  const names = options.all ? await ofFolder(store, options.root) : [];
  for (const one of wanted) names.push(await findConversation(one, store, options.store));
  const compared: Compared[] = [];
  for (const conversation of new Set(names)) {
    const log = await store.load({ conversation });
    const from = options.from === undefined ? undefined : firstEvent(options.from, log);
    try {
      stepsAtMost(log, from);
      compared.push({ conversation, log, from });
    } catch (error) {
      if (!(error instanceof CompareError)) throw error;
      if (names.length === 1) throw new UsageError(oneLine(error.message, 300), { cause: error });
      note(`${oneLine(conversation, 60)} is left out: ${oneLine(error.message, 200)}`);
    }
  }
  if (compared.length === 0) throw new UsageError("There is no conversation to compare.");
  return compared;
}

async function ofFolder(store: Store, root: string): Promise<string[]> {
  const names: string[] = [];
  for await (const page of conversationPages(store, {}))
    for (const { conversation } of page)
      if ((await scopeIn(conversation, store)) === scopeOf(root)) names.push(conversation);
  return names;
}

/** Undefined if it was cancelled. */
async function compareAll(
  conversations: readonly Compared[],
  models: readonly ComparedModel[],
  options: ComparedChoice & Pick<CompareCommandOptions, "calls" | "repeat">,
  signal: AbortSignal,
): Promise<Comparison[] | undefined> {
  const runsTools = options.calls === "run";
  // What it runs must stay in the copy.
  const choice = { ...options, ...(runsTools && { sandbox: "required" as const }) };
  const agents = comparedAgents(choice, await installationKeys(), { runsTools, signal });
  const comparisons: Comparison[] = [];
  try {
    for (const { conversation, log, from } of conversations) {
      const named = { load: async () => [...log] };
      const comparison = await compare(
        { store: named, conversation },
        {
          from,
          variants: models.map(({ name, chosen: { provider } }) => ({ name, provider })),
          agent: (parts, variant) => agents.next(modelOf(models, variant.name), parts),
          tools: options.calls,
          repeat: options.repeat,
          prices: models[0]?.chosen.prices,
          signal,
        },
      );
      tell(comparison);
      comparisons.push(comparison);
    }
    return comparisons;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    await agents.close();
  }
}

function modelOf(models: readonly ComparedModel[], name: string) {
  const found = models.find((model) => model.name === name);
  if (!found) throw new Error(`There is no model ${name}.`);
  return found.chosen;
}

function tell({ conversation, variants }: Comparison): void {
  const asked = variants.filter((run: VariantRun) => run.status === "completed").length;
  note(`${oneLine(conversation, 60)}: ${asked} of ${counted(variants.length, "run")} completed`);
}

function terminalHere() {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal ? { input: process.stdin, output: process.stderr } : undefined;
}
