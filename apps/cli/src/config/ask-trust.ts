import { styleText } from "node:util";
import { askInPages, usualColumns } from "../approval/ask-in-pages.ts";
import { exactLinePieces, rowsOf } from "../approval/exact-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { widthOr } from "../terminal/width.ts";
import type { Project } from "./open-project.ts";
import { withinProject } from "./project.ts";
import { setTrust } from "./trust.ts";

/** Shows what the configuration of a project would change, and asks whether it shall count. @returns whether it counts now */
export async function askTrust(project: Project, terminal: Terminal): Promise<boolean> {
  const stream = terminal.output as NodeJS.WriteStream;
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
  if (isTrusted || /^\s*never\s*$/i.test(line)) await setTrust(project.top, isTrusted, project.digest);
  return isTrusted;
}

/** What a person has to see before the configuration of a project counts. */
export function trustLines(project: Project): string[] {
  const { top, trust, review, present } = project;
  const head = {
    changed: `The configuration of ${top}, or a provider module that it names, was changed since you trusted it. It says now:`,
    unknown: `${top} brings a configuration. It counts only if you trust the folder:`,
    refused: `The configuration of ${top} does not count, as you said. It says:`,
    trusted: `${top} is trusted. Its configuration says:`,
  }[trust];
  const parts = present.flatMap((file) => {
    const lines = file === project.config ? review.config : file === project.rules ? review.rules : undefined;
    const name = withinProject(project, file);
    return lines ? [name, ...lines.map((line) => `  ${line}`)] : [`${name}: instructions for the model`];
  });
  return [head, ...(parts.length > 0 ? parts.map((line) => `  ${line}`) : ["  nothing"])];
}
