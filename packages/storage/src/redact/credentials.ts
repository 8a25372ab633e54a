import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/** Replaces what the headers `Authorization` and `Cookie`, the passwords and signatures of addresses, and `curl --user` hold. */
export function redactCredentials(text: string): string {
  return text
    .replace(authorization, (_, before: string) => before + redactionMark)
    .replace(bareAuthorization, (_, before: string) => before + redactionMark)
    .replace(cookie, (_, before: string) => before + redactionMark)
    .replace(curl, (command) =>
      command.replace(curlUser, (found, before: string, secret: string) => {
        return isReference(secret) ? found : before + redactionMark;
      }),
    )
    .replace(signature, (found, before: string, value: string) => {
      return /\d/.test(value) && /[a-z]/i.test(value) ? before + redactionMark : found;
    })
    .replace(password, (found, before: string, secret: string) => {
      return isReference(secret) ? found : `${before}${redactionMark}@`;
    });
}

/** Also as a property of JSON and as an argument in quotes. */
const authorization =
  /(\b(?:proxy-)?authorization(?:\\{0,4}["'])?\s{0,4}(?:=>|[:=])\s{0,4}\[?(?:\\{0,4}["'`])?(?:basic|bearer|token|apikey|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})[\w.~+/-][^\s"'`\\]{3,}/gi;
/** Some services want their key without a scheme before it. */
const bareAuthorization =
  /(\b(?:proxy-)?authorization(?:\\{0,4}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,4}["'])?)(?!aws4-)((?=[\w-]{0,256}\d)(?=[\w-]{0,256}[a-z])[\w-]{12,})(?![\w.([])/gi;

/** What a property with the name of such a header holds: its scheme stays. */
export function redactHeader(name: string, value: string): string {
  if (!headerName.test(name) || value.trim() === "") return value;
  const [scheme] = schemed.exec(value) ?? [""];
  return isReference(value.slice(scheme.length)) ? value : scheme + redactionMark;
}

const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;
const schemed = /^(?:basic|bearer|token|apikey|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4}/i;

/** Pairs only, so that what is said about cookies stays. */
const cookie =
  /(\b(?:set-)?cookie(?:\\{0,4}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,4}["'])?)[\w.%$-]{1,64}=[^\s"'\\;]+(?:;[ \t]{0,4}[^\s"'\\;]+)*;?/gi;

/** To the end of the line, also where lines are joined by a backslash. */
const curl = /\bcurl\s(?:\\\r?\n|[^\n])*/g;
const curlUser = /(\s(?:-u|--user|--proxy-user|-U)[ =]{0,4}(?:\\{0,4}["'])?[^\s:"'\\]{0,256}:)([^\s"'\\]+)/g;

/** The last `@` of the authority ends it. */
const password = /(:\/\/[^\s/:@?#"'`<>]{0,256}:)([^\s/?#"'`<>]{1,1024})@/g;

/** Who has a signed address may do what it was signed for. */
const signature =
  /((?:[?&]|&amp;|\\{1,4}u0026|%26|%3F)(?:X-(?:Amz|Goog)-Signature|Signature|sig)(?:=|%3D))([\w%.~+/-]{16,2048}={0,2})/gi;
