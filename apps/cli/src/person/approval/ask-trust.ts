import { lstatSync, realpathSync } from "node:fs";
import { styleText } from "node:util";
import { exactLinePieces, rowsOf } from "../../base/terminal/exact-text.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { widthOr } from "../../base/terminal/text.ts";
import type { Project } from "../../place/config/open-project.ts";
import { withinProject } from "../../place/config/project.ts";
import { profilePath, quoted } from "../../place/config/quoted.ts";
import { setTrust } from "../../place/config/trust.ts";
import { instructionHashes, instructionLines } from "../../place/context-files.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";

/** Shows what the configuration of a project would change, and asks whether it shall count. @returns whether it counts now */
export async function askTrust(project: Project, terminal: Terminal): Promise<boolean> {
  const stream = terminal.output as NodeJS.WriteStream;
  // What changes while the person reads was not seen.
  const instructions = instructionHashes(project);
  const columns = widthOr(stream, usualColumns);
  const rows = trustLines(project).flatMap((line) => {
    const text = line.trimStart();
    const indent = " ".repeat(line.length - text.length);
    return rowsOf(exactLinePieces(text), columns - 1 - indent.length).map((row) => indent + row);
  });
  const [first = "", ...rest] = rows;
  const shown = [styleText("bold", first, { stream }), ...rest];
  const prompt = "Trust this folder? [y/N, never = no, and do not ask again] ";
  const line = (await askInPages(shown, prompt, terminal, new AbortController().signal)) ?? "";
  const isTrusted = /^\s*y(es)?\s*$/i.test(line);
  if (isTrusted || /^\s*never\s*$/i.test(line)) await keepSaid(project, isTrusted, instructions);
  return isTrusted;
}

/** Keeps what a person said about a project that they have seen. */
export async function keepSaid(
  project: Project,
  isTrusted: boolean,
  instructions = instructionHashes(project),
): Promise<void> {
  await setTrust(project, isTrusted, project.now, instructions);
}

/**
 * What a person has to see before the configuration of a project counts, what matters last. A line may hold characters that steer a
 * terminal, line feeds among them: show each with `exactLinePieces`.
 */
export function trustLines(project: Project): string[] {
  const { top, trust, review, present, config, rules, mcpJson, before } = project;
  const head = {
    changed: `The configuration of ${top}, a module that it names, or what its hooks and servers run, was changed since you trusted it. It says now:`,
    unseen: `${top} lies in a folder that you trust, but you have not looked at what it configures. It counts only if you trust it:`,
    unknown: `${top} brings a configuration. It counts only if you trust the folder:`,
    refused: `The configuration of ${top} does not count, as you said. It says:`,
    trusted: `${top} is trusted. Its configuration says:`,
  }[trust];
  const instructions = present.filter((file) => ![config, rules, mcpJson].includes(file));
  const parts = [
    ...instructions.flatMap((file) => [
      `${withinProject(project, file)}: instructions for the model${linkOf(file)}`,
      ...instructionLines(project, file).map((line) => `  ${line}`),
    ]),
    ...(["rules", "mcpJson", "config"] as const).flatMap((kind) => {
      const file = project[kind];
      if (!present.includes(file)) return [];
      const lines = review.lines[kind];
      return [`${withinProject(project, file)}${linkOf(file)}`, ...lines.map((line) => `  ${line}`)];
    }),
  ];
  const lost = trust === "changed" || trust === "unseen" ? lostLines(project) : [];
  const lostHead = before && lost.length > 0 ? ["no longer says, which protected you:"] : [];
  const all = [...(parts.length > 0 ? parts : ["nothing"]), ...lostHead, ...lost.map((line) => `  ${line}`)];
  return [head, ...all.map((line) => `  ${line}`)];
}

/** What protected when the person last looked, and does not any more. */
function lostLines({ before, now }: Project): string[] {
  const linesOf = (seen: typeof before) => {
    const { values = {}, profiles = {}, profile, ask = [], deny = [] } = seen?.protection ?? {};
    const chosen = profile === undefined ? {} : { profile };
    const parts = Object.entries(profiles).map(([name, own]) => [profilePath(name), own] as const);
    return [
      ...[["", { ...values, ...chosen }] as const, ...parts].flatMap(([path, own]) =>
        Object.entries(own).map(([name, value]) => `${path}${name} = ${quoted(value)}`),
      ),
      ...ask.map((rule) => `ask ${quoted(rule)}`),
      ...deny.map((rule) => `deny ${quoted(rule)}`),
    ];
  };
  const still = new Set(linesOf(now));
  return linesOf(before).filter((line) => !still.has(line));
}

/** Where a file leads that is a link, or in a folder that is one. */
function linkOf(file: string): string {
  try {
    const real = realpathSync.native(file);
    return real === file ? "" : ` (a link to ${real})`;
  } catch {
    return lstatSync(file, { throwIfNoEntry: false }) ? " (a link that leads nowhere)" : "";
  }
}
