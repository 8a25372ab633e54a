import { ShellError } from "../errors.ts";

/**
 * Whether a command is words, quotes and backslashes alone, which every shell reads alike. Everything else takes a shell.
 *
 * @throws ShellError `command_invalid` for a text that no shell can run, with the offset
 */
export function isPlain(command: string): boolean {
  checkCharacters(command);
  for (let index = 0; index < command.length; ) {
    const character = command.charAt(index);
    const after =
      character === "'"
        ? afterSingleQuotes(command, index)
        : character === '"'
          ? afterDoubleQuotes(command, index)
          : character === "\\"
            ? afterEscape(command, index)
            : afterCharacter(command, index);
    if (after === undefined) return false;
    index = after;
  }
  return true;
}

const maxLength = 32_768;

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

// Each returns where the next part begins; undefined where a shell is needed.

function afterSingleQuotes(command: string, start: number): number {
  const end = command.indexOf("'", start + 1);
  if (end < 0)
    throw invalid(command, start, "a single quote that is never closed", "Close it, or put it in double quotes.");
  return end + 1;
}

function afterDoubleQuotes(command: string, start: number): number | undefined {
  for (let index = start + 1; index < command.length; index++) {
    const character = command.charAt(index);
    if (character === '"') return index + 1;
    if (character === "$" || character === "`") return undefined;
    if (character === "\\") {
      index++;
      if (/[`\n]/.test(command.charAt(index))) return undefined;
    }
  }
  throw invalid(command, start, "a double quote that is never closed", "Close it, or put it in single quotes.");
}

function afterEscape(command: string, start: number): number | undefined {
  const escaped = command.charAt(start + 1);
  if (escaped === "") {
    throw invalid(command, start, "a backslash at the end", "Put it in single quotes to have it literally.");
  }
  return /[^\S \t]/.test(escaped) ? undefined : start + 2;
}

function afterCharacter(command: string, index: number): number | undefined {
  const character = command.charAt(index);
  if (character === " " || character === "\t") return index + 1;
  if (/[\s$`#*?[|&;<>()]/.test(character)) return undefined;
  if (character === "{" && !literalBraces.test(command.slice(index))) return undefined;
  // Shells also expand it after the = or : of a word that looks like an assignment.
  if (character === "~" && (index === 0 || " \t=:".includes(command.charAt(index - 1)))) return undefined;
  if (character === "!" && /^[ \t]*![ \t]/.test(command.slice(0, index + 2))) return undefined;
  if (character === "=" && /^[ \t]*[A-Za-z_]\w*\+?$/.test(command.slice(0, index))) return undefined;
  return index + 1;
}

/** `{}`, `@{0}` and the like, which shells do not expand. */
const literalBraces = /^\{[\w@^/-]*\}/;

function invalid(command: string, position: number, found: string, instead: string): ShellError {
  const message = `The command was not run: there is ${found} at offset ${position}. ${instead}`;
  return new ShellError("command_invalid", command, message, { position });
}
