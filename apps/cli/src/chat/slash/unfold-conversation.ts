import { oneLine } from "../../base/terminal/text.ts";
import type { TreeTurn } from "../../work/points/tree-turns.ts";
import { takeSummaryBack } from "../../work/slash/compact-command.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { changedText, filesAt, goToPoint, type PointOfChat, restoreFiles } from "./go-to-point.ts";

/** A row of the list of points, and what it leads to; the first one may lead to the conversation as it is. */
interface PointRow {
  readonly row: string;
  readonly point?: PointOfChat;
  readonly isSummedUp?: boolean;
}

/** Shows the turns and named points of a conversation, and does at one of them what the person chooses. */
export async function unfold(name: string, conversation: Conversation): Promise<void> {
  const { session, view } = conversation;
  const store = await session.store();
  const { keptChanges } = await import("../../work/points/conversation-tree.ts");
  const { treeTurns } = await import("../../work/points/tree-turns.ts");
  const log = await store.load({ conversation: name });
  const turns = treeTurns(log, await keptChanges(name, session.place));
  const isThis = name === session.conversation;
  if (isThis && turns.length === 0) return view.remark("Nothing was said yet.");
  const { pointRow, turnRow } = await import("../../work/points/tree-lines.ts");
  const width = String(turns.length).length;
  const rows: PointRow[] = [
    ...(isThis ? [] : [{ row: "Go on with it as it is" }]),
    ...turns.flatMap((turn) => [
      { row: turnRow(turn, width), point: { conversation: name, at: turn.at, name: nameOf(turn) }, ...turn },
      ...turn.within.map((point) => ({
        row: `${" ".repeat(width)}  ${pointRow(point.name, point.at)}`,
        point: { conversation: name, at: point.at, name: `"${oneLine(point.name, 60)}"` },
      })),
    ]),
  ];
  const chosen = await view.choose({
    title: isThis ? "Which point?" : "Which point of it?",
    rows: rows.map(({ row }) => row),
    at: isThis ? rows.length - 1 : 0,
  });
  const row = chosen === undefined ? undefined : rows[chosen];
  if (row === undefined) return view.remark("You stay in this one.");
  if (row.point === undefined) return conversation.goTo(name);
  await atPoint(row.point, row.isSummedUp === true, conversation);
}

function nameOf({ number }: TreeTurn): string {
  return `turn ${number}`;
}

/** Lets the person choose what is done at a point. */
async function atPoint(point: PointOfChat, isSummedUp: boolean, conversation: Conversation): Promise<void> {
  const { session, view } = conversation;
  const isThis = point.conversation === session.conversation;
  const files = (await filesAt(point, conversation))?.found.plan.restore ?? [];
  const actions: [row: string, act: () => Promise<void> | void][] = [];
  // Before the first event there is nothing to fork.
  if (point.at > 0) actions.push(["Go on from there, in a fork", () => goToPoint(point, false, conversation)]);
  if (files.length > 0) {
    const text = changedText(files);
    const restore = async () => view.remark((await restoreFiles(point, conversation)).join("\n"));
    actions.push([`Undo what was changed since, in ${text}`, restore]);
    if (point.at > 0) actions.push(["Both: the fork and the files", () => goToPoint(point, true, conversation)]);
  }
  // A name is written behind this.
  if (isThis && point.at > 0) actions.push(["Name it", () => view.giveBack(`/mark --at ${point.at} `)]);
  if (isSummedUp)
    actions.push([
      "Undo the compaction: the model reads this turn again",
      () => takeSummaryBack(point.conversation, conversation),
    ]);
  const chosen = await view.choose({ title: `What do you want at ${point.name}?`, rows: actions.map(([row]) => row) });
  const act = chosen === undefined ? undefined : actions[chosen]?.[1];
  if (act === undefined) return view.remark("Everything stays as it is.");
  await act();
}
