import { counted, oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { shownPrompt } from "../commands/typed-part.ts";
import type { TreeNode } from "./conversation-tree.ts";
import type { TreeTurn } from "./tree-turns.ts";

/** A tree of forks for a terminal: of each conversation the turns that it has not from the one above. */
export function treeLines(tree: TreeNode, current: string): string[] {
  const { conversation, title, updatedAt, turns, inherited, forks } = tree;
  const name = oneLine(conversation, 40);
  const of = conversation === current ? ", this one" : "";
  const head =
    updatedAt === undefined
      ? `${name}, deleted`
      : `${name}${of} · ${when(updatedAt)} · ${oneLine(title, 60) || "nothing was said yet"}`;
  const from =
    tree.forkedAt === undefined ? "" : inherited === 0 ? " · from its beginning" : ` · after turn ${inherited}`;
  const width = String(turns.length).length;
  return [
    `${head}${from}`,
    ...turns
      .slice(inherited)
      .flatMap((turn) => turnLines(turn, width))
      .map((line) => `  ${line}`),
    ...forks.flatMap((fork, index) => {
      const isLast = index === forks.length - 1;
      const [first = "", ...rest] = treeLines(fork, current);
      return [`  ${isLast ? "└" : "├"} ${first}`, ...rest.map((line) => `  ${isLast ? " " : "│"} ${line}`)];
    }),
  ];
}

/** The row of a turn, and one for each named point within it. */
function turnLines(turn: TreeTurn, width: number): string[] {
  const space = " ".repeat(width);
  return [turnRow(turn, width), ...turn.within.map(({ name, at }) => `${space}  ${pointRow(name, at)}`)];
}

/** A turn in a list: its number, what was said, when, the names of its beginning, and what it has done. */
export function turnRow(turn: TreeTurn, width: number): string {
  const { number, text, time, points, isSummedUp, files, undos } = turn;
  const marks = [
    ...points.map(({ name }) => `"${oneLine(name, 60)}"`),
    when(time),
    ...(files > 0 ? [counted(files, "file")] : []),
    ...(undos > 0 ? [counted(undos, "undo")] : []),
    ...(isSummedUp ? ["summed up"] : []),
  ];
  return `${String(number).padStart(width)}  ${oneLine(shownPrompt(text), 60) || "(no words)"} · ${marks.join(" · ")}`;
}

/** A named point within a turn. */
export function pointRow(name: string, at: number): string {
  return `"${oneLine(name, 60)}", after ${counted(at, "event")}`;
}
