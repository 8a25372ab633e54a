import { isSecretName, isSecretValue } from "./assignments.ts";
import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/**
 * Replaces secrets in configuration files with formats of their own: npm, Docker, netrc, PostgreSQL, Kubernetes, .NET,
 * Java.
 */
export function redactConfigFiles(text: string): string {
  return text
    .replace(npmrc, (found, before: string, sign: string, value: string) => {
      const isAssigned = sign === "=" || value.endsWith("=") || /\d/.test(value);
      return isAssigned && !isReference(value) ? before + redactionMark : found;
    })
    .replace(docker, (found, before: string, value: string) => (isBasicAuth(value) ? before + redactionMark : found))
    .replace(netrc, (found, before: string, value: string) => (isReference(value) ? found : before + redactionMark))
    .replace(pair, (found, before: string, name: string, _, value: string) => {
      return isSecretName(name) && isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(attribute, (found, before: string, name: string, quote: string, value: string) => {
      return isSecretName(name) && isSecretValue(name, value) ? before + redactionMark + quote : found;
    })
    .replace(named, (found, before: string, name: string, value: string) => {
      return isSecretName(name) && isSecretValue(name, value) ? before + redactionMark : found;
    })
    .replace(pgpass, (found, before: string, value: string) => (isReference(value) ? found : before + redactionMark));
}

/** Whether a value is `user:password` in base64, as Docker and npm store it. */
export function isBasicAuth(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,4096}={0,2}$/.test(value) || value.replaceAll("=", "").length % 4 === 1) return false;
  return /^[^\s:]+:[^\s]+$/.test(atob(value));
}

/** The value must end its line. In code a bracket or a comma would follow. */
const npmrc =
  /((?:(?<![\w.])|(?<=\\[nrt]))_(?:auth(?:Token)?|password)([ \t]{0,4}=[ \t]{0,4})["']?)([\w.~+/-]{6,4096}={0,2})(?=\\{0,4}["']?(?:\s|\\|$))/g;
const docker = /(\\{0,4}["']auth\\{0,4}["']\s{0,20}:\s{0,20}\\{0,4}["'])([A-Za-z0-9+/]{8,4096}={0,2})(?=\\{0,4}["'])/g;

/** White space, also with line numbers, and the escaped line ends of JSON. */
const space = "(?:\\s|\\\\[nrt]|(?<=[\\s])\\d{1,6}[\\t:|→]){1,20}";
const word = "[^\\s\\\\\"']{1,256}";
const netrc = new RegExp(
  `((?<![\\w-])(?:machine${space}${word}|default)(?:${space}(?:login|account)${space}${word}){1,2}${space}password${space})(${word})`,
  "g",
);

/** `"name": "API_KEY", "value": "…"` in JSON, and the same pair in YAML. */
const quote = "(\\\\{0,4}[\"'])";
const pair = new RegExp(
  `(["' \\t](?:name|key)(?:\\\\{0,4}["'])?\\s{0,4}:\\s{0,4}(?:\\\\{0,4}["'])?([\\w.-]{1,64})(?:\\\\{0,4}["'])?(?:\\s|,|\\\\[nr]){1,20}(?:\\\\{0,4}["'])?value(?:\\\\{0,4}["'])?\\s{0,4}:\\s{0,4}${quote}?)([^\\s"'\\\\]{1,4096})`,
  "gi",
);

/** `key="Password" value="…"` of XML. */
const attribute =
  /(\s(?:key|name)\s{0,2}=\s{0,2}\\{0,4}["']([\w.:-]{1,128})\\{0,4}["']\s{1,20}value\s{0,2}=\s{0,2}(\\{0,4}["']))((?:(?!\3)[^<>\n]){1,1024})\3/gi;
/**
 * `<name>password</name> <value>…</value>`, the `<key>` and `<string>` of a property list, `<property
 * name="password">…`.
 */
const named =
  /((?:<(?:name|key)>|<(?:entry|property)\s{1,8}(?:key|name)=\\{0,4}["'])([\w.:-]{1,128})(?:<\/(?:name|key)>|\\{0,4}["']\s{0,4}>)\s{0,40}(?:<(?:value|string)>)?)([^<>\s]{1,1024})(?=\s{0,40}<\/)/gi;

/** `host:port:database:user:password` in .pgpass. */
const pgpass =
  /^((?:[ \t]{0,16}\d{1,6}[\t|→] ?)?[\w.*-]{1,128}:(?:\d{4,5}|\*):[^\s:/]{1,64}:[^\s:/]{1,64}:)((?:\\[\\:]|[^\s:\\]){1,256})(?=\r?$)/gm;
