import { counted, oneLine } from "../../base/terminal/text.ts";
import { typedLine } from "../../work/commands/typed-part.ts";
import { turnAt, turnsOf } from "../../work/undo/turns.ts";
import type { Conversation } from "../conversation/conversation.ts";

/** A point of a conversation that a person wants to go to. */
export interface PointOfChat {
  readonly conversation: string;
  /** How many events stand before it. */
  readonly at: number;
  /** What it is called, such as `turn 2`. */
  readonly name: string;
}

/** The files that go back to a point. */
export async function filesAt(point: PointOfChat, { session }: Conversation) {
  const { place, choice } = session;
  if (place === ":memory:") return undefined;
  const { findPoint } = await import("../../work/undo/app-undo.ts");
  const of = { conversation: point.conversation, store: await session.store(), place, access: choice.access };
  return { of, found: await findPoint(of, point) };
}

/** Whether the files go back, too, which the person is asked where any can; undefined if the person wants nothing of it. */
export async function undoesFiles(point: PointOfChat, conversation: Conversation): Promise<boolean | undefined> {
  const files = await filesAt(point, conversation);
  if (files === undefined || files.found.plan.restore.length === 0) return false;
  const chosen = await conversation.view.choose({
    title: `Since then the agent has changed ${changedText(files.found.plan.restore)}.`,
    rows: ["Leave the files as they are", "Undo these changes, too"],
  });
  return chosen === undefined ? undefined : chosen === 1;
}

/** `2 files: a.txt, b.txt`. */
export function changedText(files: readonly { file: string }[]): string {
  const names = files.slice(0, 3).map(({ file }) => oneLine(file, 40));
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : "";
  return `${counted(files.length, "file")}: ${names.join(", ")}${more}`;
}

/** Restores the files of a point. @returns lines for the person */
export async function restoreFiles(point: PointOfChat, conversation: Conversation): Promise<string[]> {
  const files = await filesAt(point, conversation);
  if (files === undefined) return ["Nothing is kept of a conversation in memory, so nothing can be undone."];
  const { undoTo } = await import("../../work/undo/app-undo.ts");
  return (await undoTo(files.of, files.found)).lines;
}

/** Goes on from a point in a fork. Where a prompt stands there, it is given back to be changed. */
export async function goToPoint(point: PointOfChat, undoes: boolean, conversation: Conversation): Promise<void> {
  const { session, view } = conversation;
  const { conversation: source, at } = point;
  const { place } = session;
  const { agent, commands } = await session.open();
  const store = await session.store();
  const events = await store.load({ conversation: source });
  const isElsewhere = source !== session.conversation;
  // The files first: the fork takes along that they were restored.
  const lines = undoes ? await restoreFiles(point, conversation) : [];
  const { forkConversation } = await import("../../work/undo/fork-conversation.ts");
  const { fork, problem } = await forkConversation(source, { at, undoes }, { agent, store, place });
  if (problem !== undefined) lines.push(problem);
  await conversation.goTo(fork, { isShown: isElsewhere });
  const turn = turnAt(at, turnsOf(events), events);
  const where = turn === undefined ? `at ${point.name}` : `before turn ${turn.number}`;
  lines.push(`You are ${where}. What followed is kept: /tree, or /resume ${oneLine(source, 100)}.`);
  view.remark(lines.join("\n"));
  const said = turn && events[turn.at];
  if (said?.type !== "user") return;
  view.giveBack(await typedLine(conversation.typedAgain(said.content, said.attachments ?? []), commands));
}
