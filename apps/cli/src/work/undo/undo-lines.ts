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
    ...ofCommands(plan, events),
  ];
}

/** What an undo has done, and what it has left. */
export function doneLines(result: UndoResult, plan: UndoPlan, events: readonly LogEvent[]): string[] {
  const files = result.restored.map((file) => fileLine(done[file.action], file));
  return [
    ...(files.length > 0 ? files : ["  no file was restored"]),
    ...leftLines(result.left),
    ...ofCommands(plan, events),
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

/** Which commands changed the files, and what of their changes stays. */
function ofCommands({ commands, unreadable }: UndoPlan, events: readonly LogEvent[]): string[] {
  const changed = commands.filter(({ files }) => files.length > 0);
  const notKept = new Set(commands.flatMap((command) => command.notKept));
  const ignored = new Set(commands.flatMap((command) => command.ignored));
  const cut = commands.filter(({ isComplete }) => !isComplete);
  return [
    ...listed(
      "Changed by commands:",
      changed.map((command) => `${commandText(command, events)}: ${named(command.files.map(({ file }) => file))}`),
    ),
    ...(notKept.size > 0 ? [`Not kept, so not undone: ${named([...notKept])}`] : []),
    ...(ignored.size > 0 ? [`Not kept, because git ignores it: ${named([...ignored])}`] : []),
    ...listed(
      "May have changed more, because the command was cut off or the folder is too large:",
      cut.map((command) => commandText(command, events)),
    ),
    ...(unreadable > 0 ? [`${counted(unreadable, "line")} of the record of changes cannot be read.`] : []),
  ];
}

function listed(head: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [head, ...lines.map((line) => `  ${line}`)] : [];
}

function commandText({ call }: RanCommand, events: readonly LogEvent[]): string {
  const event = events.find((event) => event.type === "call" && event.id === call);
  const { command } = event?.type === "call" ? callOf(event).args : {};
  return typeof command === "string" ? oneLine(revealed(command), 80) : oneLine(call, 60);
}

function named(files: readonly string[]): string {
  const more = files.length - mostNamed;
  return `${files.slice(0, mostNamed).map(shown).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

const mostNamed = 10;

function shown(file: string): string {
  return oneLine(revealed(file), 200);
}
