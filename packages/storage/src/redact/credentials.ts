import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/**
 * Replaces the values of `Authorization` and `Cookie` headers, passwords and signatures in URLs, and `curl --user`
 * passwords.
 */
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

/** A header line, a property of JSON, or a quoted argument. */
const authorization =
  /(\b(?:proxy-)?authorization(?:\\{0,4}["'])?\s{0,4}(?:=>|[:=])\s{0,4}\[?(?:\\{0,4}["'`])?(?:basic|bearer|token|apikey|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})[\w.~+/-][^\s"'`\\]{3,}/gi;
/** Some services take their key without a scheme. */
const bareAuthorization =
  /(\b(?:proxy-)?authorization(?:\\{0,4}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,4}["'])?)(?!aws4-)((?=[\w-]{0,256}\d)(?=[\w-]{0,256}[a-z])[\w-]{12,})(?![\w.([])/gi;

/** Replaces the value of a property that is named like one of these headers. Keeps the scheme, such as `Bearer`. */
export function redactHeader(name: string, value: string): string {
  if (!headerName.test(name) || value.trim() === "") return value;
  const [scheme] = schemed.exec(value) ?? [""];
  return isReference(value.slice(scheme.length)) ? value : scheme + redactionMark;
}

const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;
const schemed = /^(?:basic|bearer|token|apikey|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4}/i;

/** Matches `name=value` pairs only, so that sentences about cookies stay. */
const cookie =
  /(\b(?:set-)?cookie(?:\\{0,4}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,4}["'])?)[\w.%$-]{1,64}=[^\s"'\\;]+(?:;[ \t]{0,4}[^\s"'\\;]+)*;?/gi;

/** Matches to the end of the line. A backslash continues it on the next line. */
const curl = /\bcurl\s(?:\\\r?\n|[^\n])*/g;
const curlUser = /(\s(?:-u|--user|--proxy-user|-U)[ =]{0,4}(?:\\{0,4}["'])?[^\s:"'\\]{0,256}:)([^\s"'\\]+)/g;

/** The password of a URL ends at the last `@` of the authority. */
const password = /(:\/\/[^\s/:@?#"'`<>]{0,256}:)([^\s/?#"'`<>]{1,1024})@/g;

/** The signature of a signed URL, which gives access to everybody who has it. */
const signature =
  /((?:[?&]|&amp;|\\{1,4}u0026|%26|%3F)(?:X-(?:Amz|Goog)-Signature|Signature|sig)(?:=|%3D))([\w%.~+/-]{16,2048}={0,2})/gi;
