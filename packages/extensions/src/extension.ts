import type { Capability } from "@cogency/agent";
import type { Skill } from "@cogency/skills";
import type { Tool } from "@cogency/tools";

/** What one module brings to an agent. Everything but the tools, hooks and instructions is for programs with a person in front. */
export interface Extension extends Partial<Omit<Capability, "tools">> {
  readonly tools?: readonly Tool[] | undefined;
  readonly skills?: readonly Skill[] | undefined;
  readonly commands?: readonly ExtensionCommand[] | undefined;
}

/** A prompt that a person calls by a name, such as `/deploy staging`. */
export interface ExtensionCommand {
  /** Lower-case letters, digits and single hyphens, up to 64. */
  readonly name: string;
  /** One line, up to 1,024 characters. */
  readonly description: string;
  /** What may follow the name, such as `<stage>`. */
  readonly argumentHint?: string | undefined;
  /** The prompt, with `$ARGUMENTS`, `$1`, `$2` … where what was written behind the name goes; see `fillArguments` of `@cogency/skills`. */
  readonly text: string;
}

/** What an extension learns about the program that opens it. */
export interface ExtensionHost {
  /** The folder that the agent works in; undefined for an agent that works in none. */
  readonly root: string | undefined;
}

/** What a module may export by default: tools, an extension, or a function that makes one of these. */
export type ExtensionExport = Tool | readonly Tool[] | Extension | ExtensionFactory;

/** Makes an extension of the options that the program was given for it; `{}` if none were given. */
export type ExtensionFactory<Options = never> = (
  options: Options,
  host: ExtensionHost,
) => ExtensionParts | Promise<ExtensionParts>;

/** What a factory returns. */
export type ExtensionParts = Tool | readonly Tool[] | Extension;
