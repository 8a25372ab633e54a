import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/** Replaces values that are assigned to the name of a secret: in JSON, an .env file, a URL, a command or code. */
export function redactAssignments(text: string): string {
  return redactBare(
    redactEnvironment(text).replace(quoted, (found, before: string, name: string, quote: string, value: string) => {
      return isSecretValue(name, value) ? before + quote + redactionMark + quote : found;
    }),
  )
    .replace(flag, (found, before: string, name: string, value: string) => {
      const isAssigned = before.endsWith("=") || unlikeWords.test(value);
      return isAssigned && isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(argument, (found, before: string, name: string, value: string) => {
      return isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(element, (found, before: string, name: string, attributes: string | undefined, value: string) => {
      // A component of a web page: its content is text for people.
      if (attributes !== undefined && /^<[A-Z]/.test(before) && !unlikeWords.test(value)) return found;
      return isSecretValue(name, value) ? before + redactionMark : found;
    });
}

/** Whether a property or variable of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return wholeName.test(name);
}

/** Whether the value of such a name is a secret, and not a reference, a file path or the label of a form field. */
export function isSecretValue(name: string, value: string): boolean {
  if (value.trim() === "" || isReference(value)) return false;
  if (isWeak(name)) return isTokenLike(value);
  if (/pwd$/i.test(name) ? /^(?:[~/.]|[A-Za-z]:\\)/.test(value) : keyFile.test(value)) return false;
  return !(/\s/.test(value) && label.test(value));
}

/** In an .env file an unquoted value ends at the end of its line. */
function redactEnvironment(text: string): string {
  return text.replace(line, (found, before: string, name: string, value: string) => {
    if (isCode.test(value)) return found;
    const isSecret = name === "KEY" ? value.length >= 16 && isTokenLike(value) : isSecretValue(name, value);
    return isSecret ? before + redactionMark : found;
  });
}

function redactBare(text: string): string {
  return text.replace(bare, (found, before: string, name: string, sign: string, value: string, offset: number) => {
    const next = text.charAt(offset + found.length);
    return isBareSecret(name, sign, value, next) ? before + redactionMark : found;
  });
}

/** An unquoted value may be code: names, members and calls stay. */
function isBareSecret(name: string, sign: string, value: string, next: string): boolean {
  if (!isSecretValue(name, value) || isMember.test(value) || "([{<".includes(next || " ")) return false;
  if (/^\d+$/.test(value)) return value.length >= 4;
  if (sign === "=") {
    // An .env file, a line of a configuration, or the query of a URL.
    if (name === name.toUpperCase()) return true;
    if (["", "\n", "\r", "&", "\\"].includes(next) && value.toLowerCase() !== name.toLowerCase()) return true;
  }
  return unlikeWords.test(value) && !(/^\w+$/.test(value) && label.test(value.replaceAll("_", " ")));
}

/** Names such as `token` and `pass` often hold other values; only a value that looks like a token is a secret there. */
function isWeak(name: string): boolean {
  // Names in Docker's configuration.
  if (/(?:identity|registry)token$/.test(name)) return false;
  return /(?:token|credential)s?$/i.test(name) || (/pass$/i.test(name) && name !== name.toUpperCase());
}

function isTokenLike(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

const names = [
  "pass(?:word|wd|phrase|code)",
  "(?<=[a-z0-9][_-])pass(?![a-z])",
  "pwd",
  "secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?",
  "(?:api|access|account|private|signing|encryption|master|service[_-]?role|auth|storage|hmac)[_-]?key",
  "(?:identity|registry)token",
  "(?<!(?:next|page|continuation|cursor|sync|stop|eos|bos|pad)[_-]?)token",
  "credentials?",
  "client[_-]key[_-]data",
  "(?<=:)_auth",
].join("|");
const numbered = "(?:_?\\d{1,3})?";
/** What closes the name of a property: `"`, `']`, and the same in JSON inside of JSON. */
const close = "(?:\\\\{0,4}[\"'\\]]|\\\\{1,4}u002[27]|&quot;){0,2}";
/** A character that is no space, quote or bracket. */
const plain = "[^\\s\"'`,;&|<>()[\\]{}\\\\]";

const wholeName = new RegExp(`(?:${names})${numbered}$`, "i");
/** Groups: the text before with the name, the name, the opening quote, and the value up to the same quote. */
const quoted = new RegExp(
  `((${names})${numbered}${close}\\s{0,4}(?:=>|:=|[:=]|:[ \\t]?&?[\\w.<>|?]{1,40} ?=)\\s{0,4})(\\\\{0,4}["'\`]|\\\\{1,4}u002[27]|&quot;)((?:(?!\\3)(?:\\\\.|[^\\\\\\n])){1,16384})\\3`,
  "gi",
);
const bare = new RegExp(`((${names})${numbered}${close}([ \\t]{0,4}(?::=|[:=])[ \\t]{0,4}))((?![=>!])${plain}+)`, "gi");
const flag = new RegExp(`(--[a-z-]{0,30}(${names})(?:=|[ \\t]{1,2}))(?!-)(${plain}{3,})`, "gi");
/** An option and its value as elements of an array. */
const argument = new RegExp(
  `(\\\\{0,4}["']--?[a-z-]{0,30}(${names})\\\\{0,4}["']\\s{0,4},\\s{0,20}\\\\{0,4}["'])([^\\s"'\\\\]{1,1024})(?=\\\\{0,4}["'])`,
  "gi",
);
/**
 * A name in capitals at the start of a line, which may have a line number. Also matches passwords in groups of four.
 */
const line =
  /^([ \t]{0,16}(?:\d{1,6}[\t:|→] ?)?(?:export[ \t]{1,4})?[A-Z0-9_]{0,64}?(PASS(?:WORD|WD|PHRASE|CODE)?|PWD|SECRET(?:_ACCESS)?(?:_KEY(?:_BASE)?)?|(?:API|ACCESS|ACCOUNT|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|STORAGE)_KEY|TOKEN|(?<=_)(?<!(?:PUBLIC|PUBLISHABLE|PRIMARY|FOREIGN|CACHE|SORT)_)KEY)(?:_?\d{1,3})?=)([^\s"'`\\]+(?:(?: [A-Za-z0-9]{4}){2,7}(?=[ \t]{0,16}$))?)/gm;
/** A call, or an element of an array. */
const isCode = /^[A-Za-z_$][\w$.]*[([{](?:.*[)\]}])?[;,]?$/;
const element = new RegExp(
  `(<[\\w:.-]{0,30}(${names})(\\s[^<>]{0,256})?>\\s{0,40}(?:<!\\[CDATA\\[)?)((?<=CDATA\\[)(?:(?!\\]\\]>)\\S){1,1024}|[^<>\\s]{1,1024})(?=(?:\\]\\]>)?\\s{0,40}</)`,
  "gi",
);

const unlikeWords = /[\d@#%^*+]/;
const label = /\b(?:pass(?:word|phrase|code)|secret|key|token)s?\b/i;
const keyFile = /^(?:~|\.{0,2})\/[\w./-]+\.(?:pem|key|json|p12|pub|crt|txt)$/;
const isMember = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
