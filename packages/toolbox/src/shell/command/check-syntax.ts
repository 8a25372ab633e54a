import { ShellError } from "../errors.ts";

/**
 * Refuses a command that needs a shell for more than splitting words with quotes and backslashes, and everything that the
 * parser would read differently from a shell.
 *
 * @throws ShellError `syntax_refused`, `command_invalid`, with the offset
 */
export function checkSyntax(command: string): void {
  checkCharacters(command);
  for (let index = 0; index < command.length; ) {
    const character = command.charAt(index);
    if (character === "'") index = afterSingleQuotes(command, index);
    else if (character === '"') index = afterDoubleQuotes(command, index);
    else if (character === "\\") index = afterEscape(command, index);
    else index = afterPlain(command, index);
  }
}

const maxLength = 32_768;
const advice = {
  several: "Make one call for each command; shell calls of one batch run in order.",
  files: "What the program prints comes back by itself; to save it, use a tool that writes files.",
  values: "Nothing is expanded here: write the value itself, or put the text in single quotes to have it literally.",
  names: "Nothing is expanded here: name the files, or put the text in single quotes to have it literally.",
  quote: "Put it in single quotes to have it literally.",
};

function checkCharacters(command: string): void {
  if (command.length > maxLength) {
    throw new ShellError(
      "command_invalid",
      command,
      `The command has ${command.length} characters; at most ${maxLength} are taken. Put long text in a file.`,
    );
  }
  // Characters that change the direction of text make a command look like another one to the person who approves it.
  const match = /(?![\t\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.exec(command);
  if (match) {
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw invalid(command, match.index, `a control or half character (U+${code})`, "Leave it out.");
  }
}

function afterSingleQuotes(command: string, start: number): number {
  const end = command.indexOf("'", start + 1);
  if (end < 0)
    throw invalid(command, start, "a single quote that is never closed", "Close it, or put it in double quotes.");
  return end + 1;
}

function afterDoubleQuotes(command: string, start: number): number {
  for (let index = start + 1; index < command.length; index++) {
    const character = command.charAt(index);
    if (character === '"') return index + 1;
    if (character === "$" || character === "`") throw substitution(command, index);
    if (character === "\\") {
      index++;
      if (/[`\n]/.test(command.charAt(index))) {
        throw refused(command, index, "an escaped backtick or line break in double quotes", "Use single quotes.");
      }
    }
  }
  throw invalid(command, start, "a double quote that is never closed", "Close it, or put it in single quotes.");
}

function afterEscape(command: string, start: number): number {
  const escaped = command.charAt(start + 1);
  if (escaped === "") throw invalid(command, start, "a backslash at the end", advice.quote);
  if (escaped !== " " && escaped !== "\t" && /\s/.test(escaped)) {
    throw refused(command, start, "a backslash before a line break or an unusual space", advice.quote);
  }
  return start + 2;
}

function afterPlain(command: string, index: number): number {
  const character = command.charAt(index);
  if (character === " " || character === "\t") return index + 1;
  if (character === "\n") throw refused(command, index, "a line break", advice.several);
  if (/\s/.test(character)) throw refused(command, index, "an unusual space", `Use a plain space. ${advice.quote}`);
  if (character === "$" || character === "`") throw substitution(command, index);
  if (character === "#") throw refused(command, index, "a comment (#)", `Leave it out. ${advice.quote}`);
  if (/[*?[]/.test(character)) throw refused(command, index, `a wildcard (${character})`, advice.names);
  if (character === "{" && !literalBraces.test(command.slice(index))) {
    throw refused(command, index, "a brace expansion ({)", advice.names);
  }
  // Shells also expand it after the = or : of a word that looks like an assignment.
  if (character === "~" && (index === 0 || " \t=:".includes(command.charAt(index - 1)))) {
    throw refused(command, index, "a home folder (~)", advice.names);
  }
  const operator = operatorStart.exec(command.slice(index, index + 3))?.[0];
  if (operator) throw operatorRefused(command, index, operator);
  if (character === "!" && /^[ \t]*![ \t]/.test(command.slice(0, index + 2))) {
    throw refused(command, index, "a negation (!)", "The exit code comes back as it is.");
  }
  if (character === "=" && /^[ \t]*[A-Za-z_]\w*\+?$/.test(command.slice(0, index))) {
    throw refused(command, index, "an assignment before the command", "The environment is the host's to set.");
  }
  return index + 1;
}

const operatorStart = /^(?:&&|\|\||\|&|&>>|&>|;;|<<<|<<|<>|<&|<\(|>>|>&|>\||>\(|[|&;<>()])/;

/** `{}`, `@{0}` and the like, which shells do not expand. */
const literalBraces = /^\{[\w@^/-]*\}/;

function operatorRefused(command: string, index: number, operator: string): ShellError {
  if (/^[<>]\(/.test(operator)) return refused(command, index, `a substitution (${operator})`, advice.several);
  if (/[<>]/.test(operator)) return refused(command, index, `a redirection (${operator})`, advice.files);
  if (/[()]/.test(operator))
    return refused(command, index, `a subshell (${operator})`, `${advice.several} ${advice.quote}`);
  const what = operator.startsWith("|") && operator !== "||" ? "a pipe" : "an operator";
  return refused(command, index, `${what} (${operator})`, `${advice.several} ${advice.quote}`);
}

function substitution(command: string, index: number): ShellError {
  const what = /^(?:`|\$\()/.test(command.slice(index, index + 2)) ? "a command substitution" : "a variable";
  return refused(command, index, `${what} (${command.charAt(index)})`, advice.values);
}

function refused(command: string, position: number, found: string, instead: string): ShellError {
  return new ShellError(
    "syntax_refused",
    command,
    `The command was not run: there is ${found} at offset ${position}, and no shell reads it. ${instead}`,
    { position },
  );
}

function invalid(command: string, position: number, found: string, instead: string): ShellError {
  return new ShellError(
    "command_invalid",
    command,
    `The command was not run: there is ${found} at offset ${position}. ${instead}`,
    {
      position,
    },
  );
}
