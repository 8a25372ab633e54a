import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/** Replaces what is given to the name of a secret: in JSON, in an .env file, in an address, in a command, in code. */
export function redactAssignments(text: string): string {
  return redactBare(
    redactEnvironment(text).replace(quoted, (found, before: string, name: string, quote: string, value: string) => {
      return isSecretValue(name, value) ? before + quote + redactionMark + quote : found;
    }),
  )
    .replace(flag, (found, before: string, name: string, value: string) => {
      const isSaid = before.endsWith("=") || unlikeWords.test(value);
      return isSaid && isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(argument, (found, before: string, name: string, value: string) => {
      return isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(element, (found, before: string, name: string, attributes: string | undefined, value: string) => {
      // A component of a page, whose text is for people.
      if (attributes !== undefined && /^<[A-Z]/.test(before) && !unlikeWords.test(value)) return found;
      return isSecretValue(name, value) ? before + redactionMark : found;
    });
}

/** Whether what a property or a variable of this name holds is likely to be a secret. */
export function isSecretName(name: string): boolean {
  return wholeName.test(name);
}

/** Whether what was given to such a name is one: no reference, no path of a file, no label of a field in a form. */
export function isSecretValue(name: string, value: string): boolean {
  if (value.trim() === "" || isReference(value)) return false;
  if (isWeak(name)) return isTokenLike(value);
  if (/pwd$/i.test(name) ? /^(?:[~/.]|[A-Za-z]:\\)/.test(value) : keyFile.test(value)) return false;
  return !(/\s/.test(value) && label.test(value));
}

/** In an .env file a value without quotes goes to the end of its line, whatever signs it holds. */
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

/** Without quotes it may as well be code, whose names and calls stay. */
function isBareSecret(name: string, sign: string, value: string, next: string): boolean {
  if (!isSecretValue(name, value) || isMember.test(value) || "([{<".includes(next || " ")) return false;
  if (/^\d+$/.test(value)) return value.length >= 4;
  if (sign === "=") {
    // An .env file, and the line of a configuration or the query of an address.
    if (name === name.toUpperCase()) return true;
    if (["", "\n", "\r", "&", "\\"].includes(next) && value.toLowerCase() !== name.toLowerCase()) return true;
  }
  return unlikeWords.test(value) && !(/^\w+$/.test(value) && label.test(value.replaceAll("_", " ")));
}

/** `token` is the name of much that is none. */
function isWeak(name: string): boolean {
  // As Docker keeps them.
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
/** Neither space, quote nor bracket. */
const plain = "[^\\s\"'`,;&|<>()[\\]{}\\\\]";

const wholeName = new RegExp(`(?:${names})${numbered}$`, "i");
/** before (with the name), the quote, and the value up to the same quote. */
const quoted = new RegExp(
  `((${names})${numbered}${close}\\s{0,4}(?:=>|:=|[:=]|:[ \\t]?&?[\\w.<>|?]{1,40} ?=)\\s{0,4})(\\\\{0,4}["'\`]|\\\\{1,4}u002[27]|&quot;)((?:(?!\\3)(?:\\\\.|[^\\\\\\n])){1,16384})\\3`,
  "gi",
);
const bare = new RegExp(`((${names})${numbered}${close}([ \\t]{0,4}(?::=|[:=])[ \\t]{0,4}))((?![=>!])${plain}+)`, "gi");
const flag = new RegExp(`(--[a-z-]{0,30}(${names})(?:=|[ \\t]{1,2}))(?!-)(${plain}{3,})`, "gi");
/** An option and its value as elements of a list. */
const argument = new RegExp(
  `(\\\\{0,4}["']--?[a-z-]{0,30}(${names})\\\\{0,4}["']\\s{0,4},\\s{0,20}\\\\{0,4}["'])([^\\s"'\\\\]{1,1024})(?=\\\\{0,4}["'])`,
  "gi",
);
/** A name in capitals at the beginning of a line, which may be numbered; also the passwords that are told in fours. */
const line =
  /^([ \t]{0,16}(?:\d{1,6}[\t:|→] ?)?(?:export[ \t]{1,4})?[A-Z0-9_]{0,64}?(PASS(?:WORD|WD|PHRASE|CODE)?|PWD|SECRET(?:_ACCESS)?(?:_KEY(?:_BASE)?)?|(?:API|ACCESS|ACCOUNT|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|STORAGE)_KEY|TOKEN|(?<=_)(?<!(?:PUBLIC|PUBLISHABLE|PRIMARY|FOREIGN|CACHE|SORT)_)KEY)(?:_?\d{1,3})?=)([^\s"'`\\]+(?:(?: [A-Za-z0-9]{4}){2,7}(?=[ \t]{0,16}$))?)/gm;
/** A call, or an element of a list. */
const isCode = /^[A-Za-z_$][\w$.]*[([{](?:.*[)\]}])?[;,]?$/;
const element = new RegExp(
  `(<[\\w:.-]{0,30}(${names})(\\s[^<>]{0,256})?>\\s{0,40}(?:<!\\[CDATA\\[)?)((?<=CDATA\\[)(?:(?!\\]\\]>)\\S){1,1024}|[^<>\\s]{1,1024})(?=(?:\\]\\]>)?\\s{0,40}</)`,
  "gi",
);

const unlikeWords = /[\d@#%^*+]/;
const label = /\b(?:pass(?:word|phrase|code)|secret|key|token)s?\b/i;
const keyFile = /^(?:~|\.{0,2})\/[\w./-]+\.(?:pem|key|json|p12|pub|crt|txt)$/;
const isMember = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
