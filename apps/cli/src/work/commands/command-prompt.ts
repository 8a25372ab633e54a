import type { Content } from "@cogency/tools";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import type { AttachedFile, AttachLimits } from "../prompt/attached-files.ts";
import type { OpenCommand } from "./open-command.ts";

/** The prompt that a line stands for. */
export interface CommandPrompt {
  readonly command: OpenCommand;
  /** What is sent: the line, and the text of the command with its arguments. */
  readonly text: string;
  /** Where the files must be that the text mentions; undefined if it is the person's own. */
  readonly limits: AttachLimits | undefined;
  /** What its server attaches: then no file that its text mentions is attached. */
  readonly attached?: readonly AttachedFile[];
  /** What its text brings into the conversation. */
  readonly holds: readonly Content[];
  /** What counts until its turn ends. */
  readonly turn: TurnRules;
  /** What the person should know: whose the command is, and what runs without a question. */
  readonly told: string;
}
