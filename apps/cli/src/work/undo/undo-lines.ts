import { callOf, type LogEvent } from "@cogency/protocol";
import type { LeftFile, PlannedFile, RanCommand, UndoPlan, UndoResult } from "@cogency/toolbox/undo";
import { counted, oneLine, revealed } from "../../base/terminal/text.ts";

const planned = { change: "restore", remove: "remove", create: "bring back" } as const;
const done = { change: "restored", remove: "removed", create: "brought back" } as const;

/** What an undo would do, and what it would leave. */
export function planLines(plan: UndoPlan, events: readonly LogEvent[]): string[] {
  const files = plan.restore.map((file) => fileLine(planned[file.action], file));
  return [
    ...(files.length > 0 ? files : ["  no file to restore"]),
    ...leftLines(plan.left),
    ...notUndone(plan, events),
  ];
}

/** What an undo has done, and what it has left. */
export function doneLines(result: UndoResult, plan: UndoPlan, events: readonly LogEvent[]): string[] {
  const files = result.restored.map((file) => fileLine(done[file.action], file));
  return [
    ...(files.length > 0 ? files : ["  no file was restored"]),
    ...leftLines(result.left),
    ...notUndone(plan, events),
  ];
}

function fileLine(verb: string, { file }: PlannedFile): string {
  return `  ${verb.padEnd(12)}  ${shown(file)}`;
}

function leftLines(left: readonly LeftFile[]): string[] {
  if (left.length === 0) return [];
  const isRefused = left.some(({ reason }) => reason === "refused");
  return [
    "Left as they are:",
    ...left.map(({ file, message }) => `  ${shown(file)} ${oneLine(message, 300)}`),
    ...(isRefused ? ["An undo reaches as far as the tools may: --access."] : []),
  ];
}

function notUndone({ commands, unreadable }: UndoPlan, events: readonly LogEvent[]): string[] {
  const lines = commands.map((command) => `  ${commandText(command, events)}: ${changes(command)}`);
  return [
    ...(lines.length > 0 ? ["Not undone, because a command did it:", ...lines] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, "line")} of the record of changes cannot be read.`] : []),
  ];
}

function commandText({ call }: RanCommand, events: readonly LogEvent[]): string {
  const event = events.find((event) => event.type === "call" && event.id === call);
  const { command } = event?.type === "call" ? callOf(event).args : {};
  return typeof command === "string" ? oneLine(revealed(command), 80) : oneLine(call, 60);
}

function changes({ files, isComplete }: RanCommand): string {
  if (files.length === 0) return "it may have changed any file";
  const named = files.slice(0, mostNamed).map(shown).join(", ");
  const more = files.length - mostNamed;
  return `${named}${more > 0 ? `, and ${more} more` : ""}${isComplete ? "" : ", perhaps others"}`;
}

const mostNamed = 10;

function shown(file: string): string {
  return oneLine(revealed(file), 200);
}
