import { domainToASCII } from "node:url";
import type { Json, JsonObject, ToolCall } from "@cogency/protocol";
import { readScriptIfAny } from "@cogency/toolbox/shell";

/** Something that a person should know of a call and that its arguments do not say in so many words. */
export interface Fact {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The facts of a call, wherever its question is put: at the terminal and on the page. */
export function factsOf({ name, args }: Pick<ToolCall, "name" | "args">): Fact[] {
  return [...(name === "shell" ? scriptFacts(args) : []), ...hostFacts(args)];
}

/** What a script does: its commands in order, the files that redirections write, and why no rule can judge it. A line each. */
function scriptFacts({ command }: JsonObject): Fact[] {
  // A stored question may hold what no shell runs.
  const script = typeof command === "string" ? readScriptIfAny(command) : undefined;
  if (!script?.isScript) return [];
  const { commands, writes, reasons } = script;
  const facts = [
    { name: "runs", lines: commands.map(({ text }) => text) },
    { name: "writes", lines: writes.map(({ path, text }) => path ?? text) },
    {
      name: "because",
      lines: reasons.map(({ what, text }) => (text.trim() === "" ? what : `${what}: ${text.trim()}`)),
    },
  ];
  return facts
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, lines }) => ({ name, lines: lines.map((line) => line.replace(/\s*\n\s*/g, " ")) }));
}

/** The hosts that are written with letters beyond ASCII, which may look exactly like Latin ones, in the form that is requested. */
function hostFacts(args: JsonObject): Fact[] {
  const hosts = new Map(
    stringsIn(args)
      .flatMap(foreignHosts)
      .map(({ written, asked }) => [written, asked]),
  );
  return Array.from(hosts, ([written, asked]) => ({ name: "host", lines: [`${written} is ${asked}`] }));
}

function stringsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function foreignHosts(text: string): { written: string; asked: string }[] {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(/[^\s"'`<>()[\]{},;|&=]+/g)) {
    for (const host of hostsIn(word)) {
      const asked = /\P{ASCII}/u.test(host) ? domainToASCII(host) : "";
      if (asked !== "" && asked !== host) found.set(host, asked);
    }
  }
  return Array.from(found, ([written, asked]) => ({ written, asked }));
}

/** Matches the host in `https://me@host:80/path`, `me@host:path` and `host`. Without a scheme a host needs a dot. */
function hostsIn(word: string): string[] {
  const rest = /^[a-z][a-z\d+.-]*:\/\/(?<rest>.*)$/is.exec(word)?.groups?.rest;
  const authority = (rest ?? word).split(/[/\\?#]/)[0] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:.*$/s, "");
  return rest !== undefined || dots.test(host) ? [host] : [];
}

/** The characters that IDNA reads as a dot. */
const dots = /[.\u3002\uff0e\uff61\u2024]/;
