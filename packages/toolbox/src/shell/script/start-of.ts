import type { Root } from "../../files/confine/root.ts";
import { shellOf } from "../run/environment.ts";
import { wordsIfPlain } from "./read-script.ts";
import { type ScriptStart, scriptStart } from "./script-shell.ts";

/**
 * How a command line is started: one program with literal words by itself, everything else by a shell.
 *
 * @throws ShellError `command_invalid`, or `syntax_refused` for a script on a machine without a shell
 */
export function startOf(command: string, root: Root, env: NodeJS.ProcessEnv): ScriptStart {
  const words = wordsIfPlain(command);
  if (words === undefined) return scriptStart(command, (name) => shellOf(name, root, env), env);
  const [program, ...args] = words;
  return { program, args, env };
}
