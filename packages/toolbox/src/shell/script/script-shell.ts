import { ShellError } from "../errors.ts";

/** How bash runs a script: without files of the user, and so that a failure in a pipe counts. The script follows. */
export const bashArguments: readonly string[] = ["--noprofile", "--norc", "-o", "pipefail", "-c"];

/** A program with its words that is started for a command line. */
export interface ScriptStart {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * How a script is started: by `bash`, else by `sh`, as `find` finds them. No variable of the environment changes how the shell
 * reads the script.
 *
 * @throws ShellError `syntax_refused` where there is no shell
 */
export function scriptStart(
  script: string,
  find: (name: string) => string | undefined,
  env: NodeJS.ProcessEnv,
): ScriptStart {
  for (const [name, args] of shells) {
    const program = find(name);
    if (program !== undefined) return { program, args: [...args, script], env: plain(env) };
  }
  const message =
    "The command was not run: it needs a shell, and this machine has neither bash nor sh. Run one program at a time.";
  throw new ShellError("syntax_refused", script, message);
}

const shells = [
  ["bash", bashArguments],
  ["sh", ["-c"]],
] as const;

function plain(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passes = ([name, value = ""]: [string, string | undefined]) =>
    !steersShells.test(name) && !(/^(?:LANG|LC_ALL|LC_CTYPE)$/.test(name) && !knownCharset.test(value));
  return Object.fromEntries(Object.entries(env).filter(passes));
}

/** In some others a byte of a letter is a sign of the shell. */
const knownCharset = /^(?:|C|POSIX|(?:.*\.)?utf-?8(?:@.*)?)$/i;

/** Names that shells obey, and names that are no variables, such as those of functions. */
const steersShells =
  /^(?:BASH.*|COMP_.*|HIST.*|MAIL.*|PS\d|ENV|SHELLOPTS|IFS|CDPATH|GLOBIGNORE|GLOBSORT|FIGNORE|EXECIGNORE|POSIXLY_CORRECT|POSIX_PEDANTIC|PROMPT_.*|TIMEFORMAT|TMOUT|INPUTRC|FUNCNEST|OPT(?:IND|ERR|ARG)|CHILD_MAX|OLDPWD|PWD|FCEDIT|FPATH|histchars|auto_resume)$|^(?![A-Za-z_]\w*$)/;
