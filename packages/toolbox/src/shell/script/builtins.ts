/** Whether bash carries a command out itself, or reads its name as a part of the language. */
export function isBuiltin(program: string): boolean {
  return builtins.has(program);
}

/** Whether only a shell can carry the command out: there may be no program of this name. */
export function needsShell(program: string): boolean {
  return builtins.has(program) && !alsoPrograms.has(program);
}

/** POSIX has programs of these names, which do the same. */
const alsoPrograms = new Set("[ echo false kill printf pwd test true".split(" "));

const builtins = new Set(
  (
    "! . : [ [[ ]] alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs " +
    "disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs " +
    "kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source " +
    "suspend test then time times trap true type typeset ulimit umask unalias unset until wait while { }"
  ).split(" "),
);

/**
 * Why a builtin with these words asks; undefined if it does nothing but what the program of its name does. A few builtins read
 * a word as the name of a variable, and evaluate what stands in its brackets.
 */
export function builtinProblem(program: string, args: readonly string[]): string | undefined {
  if (/^(?:echo|pwd|true|false|:)$/.test(program)) return undefined;
  if (program === "printf") {
    const [format = "", ...values] = args;
    if (format.startsWith("-")) return "printf with an option";
    if (!printfConversions.test(format)) return "printf with an unusual format";
    return values.some(mayBeEvaluated) ? "a value that some shells evaluate" : undefined;
  }
  if (program === "test" || program === "[") {
    if (args.some((word) => /^-[vR]$/.test(word))) return `a test of a variable (${program} -v)`;
    const isNumber = (word = "") => /^[-+]?\d+$/.test(word);
    const isEvaluated = (word: string, at: number) =>
      /^-(?:eq|ne|lt|le|gt|ge)$/.test(word) && !(isNumber(args[at - 1]) && isNumber(args[at + 1]));
    return args.some(isEvaluated) || args.some(mayBeEvaluated) ? "a value that some shells evaluate" : undefined;
  }
  return `${program}, which changes how the shell runs what follows`;
}

/** Whether a word is the name of a variable with brackets, in which something runs when they are evaluated. */
function mayBeEvaluated(word: string): boolean {
  return /\[.*[$`]/s.test(word);
}

/** Without `%n`, which sets a variable. */
const printfConversions = /^(?:[^%]|%%|%[-+ #0]{0,5}\d{0,4}(?:\.\d{1,4})?[sdiouxXqbc])*$/;

/** Whether a program with these words treats its input as data: it cannot run what it reads. */
export function readsData(program: string, args: readonly string[]): boolean {
  if (program === "sed" || /^[gm]?awk$/.test(program)) {
    const options = args.filter((word) => word.startsWith("-"));
    const [script = ""] = args.filter((word) => !word.startsWith("-"));
    // Other options take the script from a file, which may be the input, and both languages can run commands.
    if (program === "sed") return options.every((word) => /^-[nErs]+$/.test(word)) && plainSed.test(script);
    return options.every((word) => /^-F./.test(word)) && plainAwk.test(script);
  }
  return dataReaders.has(program);
}

/** Prints, deletes or replaces lines, and neither runs nor writes anything. */
const plainSed =
  /^(?:(?:\d+|\$)?(?:,(?:\d+|\$))?|\/[^/\\\n]*\/)[pdq]$|^s([/|#,:])(?:(?!\1)[^\n\\]|\\.)*\1(?:(?!\1)[^\n\\]|\\.)*\1[gpiI\d]*$/;
/** Without pipes, redirections, calls by name, and the functions that run commands. */
const plainAwk = /^(?!.*(?:system|getline|close))[^|>`@]*$/s;

const dataReaders = new Set(
  (
    "[ : base64 basename cat cksum cmp column comm cut diff dirname du echo egrep expand expr false fgrep fmt fold grep " +
    "gunzip gzip head hexdump id jq join ls md5sum nl od paste printf pwd readlink realpath rev seq sha1sum sha256sum sha512sum shuf " +
    "sort stat strings tac tail tee test tr true tsort uname unexpand uniq wc which whoami xxd zcat"
  ).split(" "),
);
