import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/**
 * Replaces passwords on command lines: `mysql -p…`, `sshpass -p …`, `redis-cli -a …`, `smbclient -U user%…`,
 * `aws configure set …`.
 */
export function redactCommands(text: string): string {
  return text
    .replace(mysql, (command) => command.replace(mysqlPassword, redacted))
    .replace(sshpass, redacted)
    .replace(redis, (command) => command.replace(redisPassword, redacted))
    .replace(redisVariable, redacted)
    .replace(samba, (command) =>
      command.replace(sambaPassword, (found, before: string, secret: string) => {
        return isReference(secret) ? found : before + redactionMark;
      }),
    )
    .replace(awsSetting, redacted);
}

function redacted(
  found: string,
  before: string,
  quote: string | undefined,
  quoted: string | undefined,
  bare: string | undefined,
) {
  const value = quoted ?? bare ?? "";
  // Two ports, such as `-p3306:3306`.
  if (isReference(value) || /^\d+:\d+$/.test(value)) return found;
  return before + (quote === undefined ? redactionMark : quote + redactionMark + quote);
}

const value = "(?:(\\\\{0,4}[\"'])((?:(?!\\2)[^\\n]){1,256})\\2|([^\\s\"'\\\\|;&<>)]{1,256}))";
/** Matches to the end of the command. A backslash continues it on the next line. */
const mysql = /\b(?:mysql|mariadb)[\w-]{0,20}\s(?:\\\r?\n|[^\n|;])*/g;
const mysqlPassword = new RegExp(`(\\s-p)${value}`, "g");
const sshpass = new RegExp(`(\\bsshpass[ \\t]{1,8}(?:-[ePv]\\S{0,64}[ \\t]{1,8}){0,4}-p[ \\t]{0,8})${value}`, "g");
const awsSetting = new RegExp(
  `(\\bconfigure[ \\t]{1,8}set[ \\t]{1,8}[\\w.-]{0,64}(?:secret_access_key|session_token)[ \\t]{1,8})${value}`,
  "g",
);
const redis = /\b(?:redis|valkey|keydb)-cli\s(?:\\\r?\n|[^\n|;&])*/g;
const redisPassword = new RegExp(`(\\s(?:-a|--pass)[ \\t]{1,8})${value}`, "g");
const redisVariable = new RegExp(`(\\bREDISCLI_AUTH=)${value}`, "g");
const samba = /\b(?:smb(?:client|get|cacls|cquotas|tree)|rpcclient)\s(?:\\\r?\n|[^\n])*/g;
const sambaPassword = /(\s(?:-U|--user(?:name)?)[ \t=]{0,4}(?:\\{0,4}["'])?[^\s%"']{1,256}%)([^\s"'\\]{1,256})/g;
