export { type ToolPattern, toolPatterns } from "../allowed-tools.ts";
export type { Command, CommandProblem } from "./command.ts";
export { expandCommand } from "./expand-command.ts";
export { isCommandName, type ParsedCommand, parseCommand } from "./parse-command.ts";
