import { redactionMark } from "./redaction-mark.ts";
import { isReference } from "./references.ts";

/** Replaces what an `Authorization` header and the password that an address hold. */
export function redactCredentials(text: string): string {
  return text
    .replace(authorization, (_, before: string) => before + redactionMark)
    .replace(password, (found, before: string, secret: string) => {
      return isReference(secret) ? found : `${before}${redactionMark}@`;
    });
}

/** Also as a property of JSON and as an argument in quotes. */
const authorization =
  /(\b(?:proxy-)?authorization(?:\\{0,4}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,4}["'])?(?:basic|bearer|token|apikey|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})[\w.~+/-][^\s"'\\]{3,}/gi;

/** The last `@` of the authority ends it. */
const password = /(:\/\/[^\s/:@?#"'`<>]{0,256}:)([^\s/?#"'`<>]{1,1024})@/g;
