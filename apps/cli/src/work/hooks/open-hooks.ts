import { resolve } from "node:path";
import { type HookOutcome, type HookProgram, hookName } from "@cogency/hook-programs";
import { openRoot, type Root } from "@cogency/toolbox";
import { redacted } from "../../base/errors/redacted.ts";
import { note } from "../../base/terminal/note.ts";
import type { Project } from "../../place/config/open-project.ts";
import type { Options } from "../../place/config/option-table.ts";
import { findHooks, type PlacedHook } from "../../place/hooks/find-hooks.ts";
import { hookFiles } from "../../place/hooks/hook-files.ts";
import type { OpenPart } from "../open-part.ts";
import { outcomeLine } from "./outcome-line.ts";

/** The hooks of a run, and what an agent gets to call them. */
export interface OpenHooks extends OpenPart {
  readonly hooks: readonly PlacedHook[];
}

export interface HookChoice extends Required<Options<"root">>, Options<"sandbox" | "config"> {}

/**
 * Makes the hooks that count here. Those of a project run in a sandbox where there is one, and their texts are untrusted and private.
 * Stderr says what a person must know of what they did.
 *
 * @param guarded absolute paths that no program in a sandbox reaches
 * @throws UsageError for a configuration that cannot be used
 */
export async function openHooks(project: Project, choice: HookChoice, guarded: readonly string[]): Promise<OpenHooks> {
  const hooks = await placedHooks(project, choice, guarded);
  if (hooks.length === 0) return { hooks, capabilities: [] };
  const { hookPrograms } = await import("@cogency/hook-programs");
  const capability = hookPrograms(
    hooks.map(({ program }) => program),
    {
      root: choice.root,
      onOutcome(outcome) {
        lastOutcomes.set(keyOf(choice.root, outcome.hook, outcome.at), outcome);
        const line = isOfResult(outcome, hooks) ? undefined : outcomeLine(outcome);
        if (line !== undefined) note(redacted(line));
      },
    },
  );
  return { hooks, capabilities: [capability] };
}

/** Whether the result of the call, which a person sees, says the same: what a hook of theirs says stands there. */
function isOfResult({ hook, at, outcome }: HookOutcome, hooks: readonly PlacedHook[]): boolean {
  if (at !== "beforeToolUse" || outcome === "ended") return false;
  const found = hooks.find(({ program }) => program.at === at && hookName(program) === hook);
  return found !== undefined && (found.program.holds ?? []).length === 0;
}

/** How the last call of a hook in a root ended in this process. */
export function lastOutcome(root: string, program: HookProgram): HookOutcome | undefined {
  return lastOutcomes.get(keyOf(root, hookName(program), program.at));
}

const lastOutcomes = new Map<string, HookOutcome>();

function keyOf(root: string, hook: string, at: string): string {
  return JSON.stringify([resolve(root), at, hook]);
}

/** The hooks that count here, as they run. @throws UsageError */
export async function placedHooks(
  project: Project,
  { root, sandbox = "auto", config }: HookChoice,
  guarded: readonly string[],
): Promise<PlacedHook[]> {
  const found = findHooks(project, config);
  if (found.length === 0) return [];
  const own = await ownFiles(
    resolve(root),
    found.filter(({ isOwn }) => isOwn).map(({ program }) => program),
  );
  const rootOf = rootsWith(guarded);
  return Promise.all(
    found.map(async (hook) => {
      const { program, folder, isOwn } = hook;
      const place = await rootOf(folder ?? root);
      if (isOwn) return { ...hook, program: { ...program, root: place, files: own.get(program) } };
      const confined = { sandbox: await isConfined(place, sandbox), holds: ["untrusted", "private"] as const };
      return { ...hook, program: { ...program, root: place, ...confined } };
    }),
  );
}

function rootsWith(guarded: readonly string[]): (folder: string) => Promise<Root> {
  const roots = new Map<string, Promise<Root>>();
  return (folder) => {
    const known = roots.get(folder) ?? openRoot(folder, { access: "project", guarded });
    roots.set(folder, known);
    return known;
  };
}

/** Whether a hook of a project runs in a sandbox. With `required` it does, and fails where there is none. */
async function isConfined(root: Root, sandbox: NonNullable<HookChoice["sandbox"]>): Promise<boolean> {
  if (sandbox !== "auto") return sandbox === "required";
  const { shellIsolation } = await import("@cogency/toolbox/shell");
  return (await shellIsolation(root)).isolated;
}

/**
 * The files in the root that hooks of the person run, as they were when this process first saw them: what a model writes into them
 * meanwhile does not run.
 */
async function ownFiles(
  root: string,
  programs: readonly HookProgram[],
): Promise<Map<HookProgram, ReadonlyMap<string, string>>> {
  const states = await hookFiles(root, programs);
  const all = new Map<HookProgram, ReadonlyMap<string, string>>();
  for (const [index, program] of programs.entries()) {
    const key = JSON.stringify([root, program.command]);
    const known = firstSeen.get(key) ?? states[index] ?? new Map<string, string>();
    firstSeen.set(key, known);
    all.set(program, known);
  }
  return all;
}

const firstSeen = new Map<string, ReadonlyMap<string, string>>();
