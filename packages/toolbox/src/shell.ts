export { tellingLines } from "./results/telling-lines.ts";
export { programOutside } from "./sandbox/program-outside.ts";
export { openJobs } from "./shell/background/job-board.ts";
export type { JobResult } from "./shell/background/job-result.ts";
export type { JobState, Jobs, JobsOptions, JobToolOptions } from "./shell/background/jobs.ts";
export { sharedNetworkProblem } from "./shell/background/shared-network-problem.ts";
export { shellOutputTool } from "./shell/background/shell-output-tool.ts";
export { shellStopTool } from "./shell/background/shell-stop-tool.ts";
export { ShellError, type ShellErrorCode } from "./shell/errors.ts";
export type { HostCommandOptions } from "./shell/host-command-options.ts";
export {
  type HostCommand,
  type HostCommandEnd,
  hostCommands,
} from "./shell/host-commands.ts";
export { fileStates } from "./shell/host-file-states.ts";
export type { KeptOutput, KeptOutputOptions } from "./shell/kept-output/kept-output.ts";
export { openKeptOutput } from "./shell/kept-output/open-kept-output.ts";
export { commandsEnded } from "./shell/run/commands-ended.ts";
export type { LiveOutput } from "./shell/run/live-output.ts";
export { sandboxedProgram } from "./shell/sandboxed-program.ts";
export {
  readScript,
  readScriptIfAny,
  type Script,
  type ScriptCommand,
  type ScriptFile,
  type ScriptReason,
} from "./shell/script/read-script.ts";
export type { ScriptWord } from "./shell/script/read-word.ts";
export { type ShellIsolation, shellIsolation } from "./shell/shell-isolation.ts";
export type { HostsOption, ShellNetwork } from "./shell/shell-network.ts";
export type { ShellOptions } from "./shell/shell-options.ts";
export type { ShellResult } from "./shell/shell-result.ts";
export { type ShellRuleOptions, shellRule } from "./shell/shell-rule.ts";
export { shellTool } from "./shell/shell-tool.ts";
export type { Terminal, TerminalCommand, TerminalShown, Terminals } from "./shell/terminal/terminals.ts";
