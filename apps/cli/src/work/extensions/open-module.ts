import { relative } from "node:path";
import { type OpenedExtension, openExtension } from "@cogency/extensions";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { takenNames, toolNames } from "../../base/tool-names.ts";
import { type LoadedModule, loadModule, UnknownModule } from "../modules/load-module.ts";
import type { ExtensionChoice } from "./configured-extensions.ts";
import { lentPackages } from "./lent-packages.ts";

/** Milliseconds that a module may take to load, and as many for its function. */
const longest = 10_000;

/** What has become of one module. */
export interface OpenedModule {
  /** As a person names it. */
  readonly name: string;
  readonly extension?: OpenedExtension;
  readonly problem?: string;
}

/** A chat that changes its model, or its mode, makes its agent anew: a module goes on with what it has. */
const known = new Map<string, Promise<OpenedModule>>();

export function openedOnce(choice: ExtensionChoice, root: string, name: string): Promise<OpenedModule> {
  const { ofProject } = choice;
  const key = JSON.stringify([process.cwd(), root, name, ofProject !== undefined, ofProject?.reviewed?.hash]);
  const before = known.get(key);
  if (before) return before;
  const opened = open(choice, root);
  known.set(key, opened);
  opened.catch(() => known.delete(key));
  return opened;
}

async function open({ use, options, root: from, ofProject }: ExtensionChoice, root: string): Promise<OpenedModule> {
  const name = shownName(use);
  let loaded: LoadedModule;
  try {
    const reviewed = ofProject && (ofProject.reviewed ?? missing(use));
    const isOwn = ofProject === undefined && from !== ".";
    loaded = await loadModule(
      { kind: "tool", name: use, root: from, known: toolNames, reviewed, isOwn },
      { packages: lentPackages, timeout: longest },
    );
  } catch (error) {
    if (error instanceof UnknownModule && !use.startsWith("@")) throw error;
    if (!(error instanceof UsageError)) throw error;
    return { name, problem: messageOf(error).replace(/^The tool "[^"]*"/, "it") };
  }
  const claims = ofProject === undefined;
  const extension = await openExtension(loaded.module, {
    name,
    root,
    claims,
    timeout: longest,
    taken: new Set(takenNames),
    ...(options && { options }),
  });
  // As with the skills of a project: what they say is its own.
  const holds = [{ holds: "private" as const, source: name }];
  return {
    name,
    extension: claims ? extension : { ...extension, skills: extension.skills.map((skill) => ({ ...skill, holds })) },
  };
}

/** One that was not there when the project was looked at does not run, whatever stands there by now. */
function missing(file: string) {
  return { file, code: undefined, imports: [] };
}

/** A path in the current folder as a person would type it. */
function shownName(use: string): string {
  if (!use.startsWith("/")) return use;
  const below = relative(".", use);
  return below.startsWith("..") || below === "" ? use : `./${below}`;
}
