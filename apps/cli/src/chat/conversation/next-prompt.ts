import type { RunPrompt } from "@cogency/agent";
import type { Provider } from "@cogency/provider";
import type { Root } from "@cogency/toolbox";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { commandFiles, heldIn } from "../../work/commands/command-files.ts";
import type { OpenCommands } from "../../work/commands/open-commands.ts";
import { mentionedResources, namesOf } from "../../work/mcp/mentioned-resources.ts";
import type { OpenMcp } from "../../work/mcp/open-mcp.ts";
import { type AttachedFile, attachedFile, mentionedFiles } from "../../work/prompt/attached-files.ts";
import { checkTaken, contentOf, privateIn, sourceOf } from "../../work/prompt/read-prompt.ts";
import { Pictures } from "./pictures.ts";

/** What a turn begins with. */
export interface Prompt {
  readonly content: RunPrompt;
  /** The text in the log. */
  readonly text: string;
  /** What in it nobody vouches for, and what in it is private; undefined if nothing is. */
  readonly untrusted: string | undefined;
  readonly privateFrom: string | undefined;
  /** What counts until its turn ends, and what the person should know about it. */
  readonly turn?: TurnRules | undefined;
  readonly told?: string | undefined;
}

/** What goes with the next prompt, until it is in the log: attached files, and what the person's own commands printed. */
export class NextPrompt {
  /** Those that were pasted; each goes with the prompts that hold its mark. */
  readonly pictures = new Pictures();
  #attached: AttachedFile[] = [];
  #printed: string[] = [];
  #ran: string[] = [];

  /** @param root the folder of the project @throws UsageError */
  async attach(path: string, root: string): Promise<void> {
    this.#attached.push(await attachedFile(path, root));
  }

  /** Attaches a picture that was pasted where there is no text that could hold its mark. */
  attachPicture(mark: string): void {
    this.#attached.push(...this.pictures.in(mark));
  }

  /** Adds what a command of the person printed, and how it ended. Nobody vouches for what it printed, if it did. */
  addOutput(line: string, output: string, ended: string): void {
    if (output === "") this.#ran.push(`I ran \`${line}\` (${ended}). It printed nothing.`);
    else this.#printed.push(`I ran \`${line}\` (${ended}):\n\n<output>\n${output}\n</output>`);
  }

  /** @throws UsageError for a file that is missing, or that the model does not take */
  async withText(
    typed: string,
    provider: Provider,
    root: Root,
    commands?: OpenCommands,
    mcp?: OpenMcp,
  ): Promise<Prompt> {
    const servers = mcp && namesOf(mcp.found);
    const resources = mcp ? await mentionedResources(typed, mcp) : [];
    const command = await commands?.expand(typed);
    const mentioned = command
      ? commandFiles(typed, command, root.given, servers)
      : mentionedFiles(typed, root.given, servers && { servers });
    const files = [...this.#attached, ...this.pictures.in(typed), ...(await mentioned), ...resources];
    const said = [command?.text ?? typed, ...this.#ran, ...this.#printed];
    const prompt = { text: said.join("\n\n"), isPiped: false, files };
    checkTaken(prompt, provider);
    const content = contentOf(prompt);
    const untrusted = sourceOf(prompt, root) ?? (this.#printed.length > 0 ? "the output of a command" : undefined);
    const privateFrom = privateIn(prompt);
    if (command === undefined) return { content, text: content.text, untrusted, privateFrom };
    const { turn, told } = command;
    const held = {
      untrusted: heldIn(command, "untrusted", untrusted),
      privateFrom: heldIn(command, "private", privateFrom),
    };
    return { content, text: content.text, ...held, turn, told };
  }

  clear(): void {
    this.#attached = [];
    this.#printed = [];
    this.#ran = [];
  }
}
