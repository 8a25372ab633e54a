import type { Access } from "@cogency/toolbox";
import { exitCodes } from "../base/errors/exit-code.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { scopeOf } from "../base/scope-of.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { shellWord } from "../base/terminal/shell-word.ts";
import { oneLine } from "../base/terminal/text.ts";
import { resumeCommand } from "../person/show/resume-command.ts";
import { conversationOf, scopeIn } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";
import { type FoundPoint, findPoint, type UndoneConversation, undoTo } from "../work/undo/app-undo.ts";
import { type ForkedIn, type ForkWanted, forkConversation } from "../work/undo/fork-conversation.ts";
import { turnsOf } from "../work/undo/turns.ts";
import { planLines } from "../work/undo/undo-lines.ts";
import { isAgreed } from "./is-agreed.ts";

export interface RewindOptions {
  store: string;
  /** A turn, a call or an undo. */
  to?: string;
  /** Only the files. */
  files?: true;
  /** Only the conversation. */
  conversation?: true;
  /** Where the agent's folder is now, if it has moved. */
  root?: string;
  /** How far the undo reaches, as with the tools. */
  access: Access;
  dryRun?: true;
  /** Does it without asking. */
  yes?: true;
}

/**
 * `cogency rewind`: goes back to an earlier point, with the files that the agent changed, with the conversation, or with both.
 * The conversation of that point is a fork, so that nothing of it is lost.
 *
 * @returns the exit code: a failure if a file was left that is not as it was at that point
 * @throws UsageError for an unknown conversation or point, and if there is no terminal to ask at
 */
export async function rewind(wanted: string | undefined, options: RewindOptions): Promise<number> {
  const { store: place, yes, dryRun } = options;
  const isBoth = options.files === options.conversation;
  const what = { files: isBoth || options.files === true, conversation: isBoth || options.conversation === true };
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!yes && !dryRun && !canAsk)
    throw new UsageError(
      "There is no terminal to ask at. Give --yes to rewind without being asked, or --dry-run to look.",
    );
  return withHistory(options, async (store) => {
    const conversation = await conversationOf(wanted, store, place, "rewind");
    const of = { conversation, store, place, root: options.root, access: options.access };
    const found = await pointFor(of, what, options.to);
    const { at } = found.point;
    if (options.conversation && at === undefined)
      throw new UsageError("--to: an undo changed files, and not the conversation. Leave --conversation out.");
    const forks = what.conversation && at !== undefined;
    const begins = [`Back to ${found.point.text}, in ${oneLine(conversation, 60)}:`];
    const preview = [...begins, ...(what.files ? planLines(found.plan, found.events) : [])];
    if (dryRun) {
      await put(`${[...preview, ...(forks ? [forkPlan(at)] : [])].join("\n")}\n`);
      return exitCodes.done;
    }
    if (!yes) {
      const lines = [...preview, ...(forks ? [forkPlan(at)] : [])];
      if (!(await isAgreed(lines, { input: process.stdin, output: process.stderr }, "Do this?"))) {
        await put("Nothing was changed.\n");
        return exitCodes.done;
      }
    }
    await put(`${begins.join("\n")}\n`);
    const undone = what.files ? await undoTo(of, found) : undefined;
    if (undone) await put(`${withCommand(undone.lines, of).join("\n")}\n`);
    if (forks) await put(`${await forked(of, at, what.files)}\n`);
    return undone && undone.left > 0 ? exitCodes.unexpected : exitCodes.done;
  });
}

/** Without a point, files go back to the latest turn that can be undone, and a conversation by one turn. */
async function pointFor(of: UndoneConversation, what: { conversation: boolean }, to?: string): Promise<FoundPoint> {
  if (to !== undefined || !what.conversation) return findPoint(of, to);
  const last = turnsOf(await of.store.load({ conversation: of.conversation })).at(-1);
  if (last === undefined) throw new UsageError("The conversation has no turn to go back to.");
  return findPoint(of, String(last.number));
}

function forkPlan(at: number): string {
  return at === 0
    ? "The conversation would have no events: a new one is the same."
    : "The conversation goes on from there in a new one, and this one stays as it is.";
}

/** Names the whole command that takes an undo back. */
function withCommand(lines: readonly string[], { conversation, place }: UndoneConversation): string[] {
  const [, ...store] = resumeCommand(conversation, place).split(" --store ");
  return lines.map((line) =>
    line.replace(
      /^This can be taken back: (undo_\w+)$/,
      (_, id: string) =>
        `Take this back: cogency rewind ${shellWord(conversation)} --files --to ${id}${store.map((text) => ` --store ${text}`).join("")}`,
    ),
  );
}

/** @param isUndone whether the files were restored, which the fork then can take back */
async function forked(
  { conversation, store, place }: UndoneConversation,
  at: number,
  isUndone: boolean,
): Promise<string> {
  if (at === 0) return "Nothing was said before that. Begin anew: cogency";
  const { fork, problem } = await forkAt(conversation, { at, undoes: isUndone }, { store, place });
  if (problem !== undefined) note(problem);
  return `The conversation goes on from there: ${resumeCommand(fork, place)}`;
}

/**
 * Begins a conversation with the first events of another one, in the same scope.
 *
 * @throws UsageError for a number of events at which no conversation can go on
 */
async function forkAt(conversation: string, wanted: ForkWanted, { store, place }: Omit<ForkedIn, "agent">) {
  const agent = await agentWithoutModel(store, (await scopeIn(conversation, store)) ?? scopeOf("."));
  try {
    return await forkConversation(conversation, wanted, { agent, store, place });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
