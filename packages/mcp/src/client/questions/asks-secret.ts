import { fieldsOf, isObject } from "./fields-of.ts";

/**
 * What of a form asks for a secret, such as the name of a field; undefined for nothing. A trip wire for honest mistakes and clumsy
 * attacks: a server can ask for a password in words that are not known here.
 *
 * @param requested the schema as the server sent it
 */
export function asksSecret(message: string, requested: unknown): string | undefined {
  const fields = Object.entries(fieldsOf(fieldsOf(requested).properties)) as [string, Field][];
  const typed = fields.filter(([, field]) => isObject(field) && isTyped(field));
  const secret = typed.find(([name, { type, title, description, format }]) => {
    const pattern = type === "string" ? secretName : secretNumber;
    const texts = [words(name), title, description].filter((text) => typeof text === "string");
    return format === "password" || texts.some((text) => pattern.test(asked(text)));
  });
  if (secret) return `the field ${secret[0]}`;
  const hasText = typed.some(([, { type }]) => type === "string");
  return hasText && secretWords.test(asked(message)) ? "its message" : undefined;
}

interface Field {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly format?: unknown;
  readonly enum?: unknown;
  readonly oneOf?: unknown;
}

/** Whether a person types the answer, other than choosing one that the server knows. */
function isTyped({ type, enum: values, oneOf }: Field): boolean {
  return type === "number" || type === "integer" || (type === "string" && values === undefined && oneOf === undefined);
}

/** `apiKey` and `api_key` are `api key`. */
function words(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ");
}

/** The beginning of a text, without the clauses that warn of a secret: `do not enter your PIN`. */
function asked(text: string): string {
  return text.slice(0, 10_000).replace(warning, " ");
}

const warning = /\b(?:do not|don't|never) (?:enter|type|give|share|send|provide|include|use|paste)\b[^.!?;:)]*/gi;

const secretWords =
  /\b(?:pass ?words?|passwd|pass ?phrases?|pass ?codes?|(?:api|secret|private|access|license|ssh|signing|encryption)[ -]?keys?|(?:access|auth|bearer|api|refresh|session) ?tokens?|your (?:[\w-]+ ){0,3}tokens?|credentials?|(?:credit|debit) ?cards?|card numbers?|cvv2?|cvc2?|seed ?phrases?|recovery (?:phrase|code)s?|mnemonic|one-?time (?:code|password)s?|social security)\b/i;

const secretName = new RegExp(`${secretWords.source}|\\b(?:secret|token|pin|otp|totp|ssn|jwt|pwd|iban)\\b`, "i");

const secretNumber = /\b(?:pin|otp|totp|cvv2?|cvc2?|ssn|card ?number|pass ?code)\b/i;
