import type { Tool } from "@cogency/tools";

/** Returns the properties of a tool's arguments, at any depth, by which a model could lower its isolation, with the reasons. */
export function isolationOffences({ name, spec }: Tool): string[] {
  return [...properties(spec.parameters, name)].flatMap(({ path, key, schema }) => [
    ...(judged.has(path) ? [] : wordsOf(key))
      .filter((word) => forbiddenWords.has(word) || forbiddenWords.has(word.replace(/s$/, "")) || hiddenWord.test(word))
      .map((word) => `${path}: its name says "${word}"`),
    ...forbiddenPhrases
      .filter((phrase) => phrase.test(description(schema)))
      .map((phrase) => `${path}: its description matches ${phrase}`),
    ...(isOpenBag(schema) ? [`${path}: an object that may hold any property`] : []),
    ...(isUncappedTime(key, schema) ? [`${path}: a time without a maximum`] : []),
  ]);
}

/** Exceptions that other tests prove harmless: a folder that is confined like those of the file tools, and hosts that a person approves. */
const judged = new Set(["shell.cwd", "shell.hosts"]);

const forbiddenWords = new Set(
  `access admin allow anywhere approval approve approved base bypass chroot confined credentials cwd danger dangerous
  chdir dangerously directory disable elevated env environment environ escape escalate force host insecure internal isolation jail
  outside passthrough permission permissions policy private privileged proxy raw root safe safety sandbox sandboxed
  secret secrets secure shell sudo superuser symlink trust trusted uid unchecked unconfined unlimited unrestricted unsafe
  untrusted user verify whitelist allowlist workdir`.split(/\s+/),
);

/** Words that count also inside a name without word breaks. */
const hiddenWord = /sandbox|isolat|privat|privileg|permission|unsafe|insecure/;

const forbiddenPhrases = [
  /\b(?:disable|bypass|without|skip|ignore|leave|escape|lift|override|turns? off|weaken)\w*\b.{0,40}\b(?:sandbox|isolation|confinement|approval|permission|restriction|protection|check|limit)/i,
  /\b(?:outside|beyond|out of|leave)\b.{0,20}\b(?:root|sandbox|project|folder|workspace)\b/i,
  /\b(?:environment variable|working directory|current directory|as root|any host|private address|all privileges)/i,
  /\b(?:unsafe|dangerous|unrestricted|privileged|sudo)/i,
];

const longestTime = 3600;

interface Property {
  path: string;
  key: string;
  schema: unknown;
}

/** Every property that a schema declares anywhere, also in `$defs`, unions, arrays and pattern properties. */
function* properties(schema: unknown, path: string): Generator<Property> {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const part of schema) yield* properties(part, path);
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const isNamed = keyword === "properties" || keyword === "patternProperties";
    if (isNamed && typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) {
        yield { path: `${path}.${key}`, key, schema: inner };
        yield* properties(inner, `${path}.${key}`);
      }
    } else if (keyword !== "default" && keyword !== "const" && keyword !== "enum") {
      yield* properties(value, path);
    }
  }
}

function wordsOf(key: string): string[] {
  const spaced = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return spaced.toLowerCase().split(/[^a-z]+/);
}

function description(schema: unknown): string {
  return hasKey(schema, "description") && typeof schema.description === "string" ? schema.description : "";
}

function hasKey<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === "object" && value !== null && key in value;
}

function isOpenBag(schema: unknown): boolean {
  if (!hasKey(schema, "type") || schema.type !== "object") return false;
  const isOpen = hasKey(schema, "additionalProperties") && schema.additionalProperties !== false;
  return isOpen || !hasKey(schema, "properties");
}

/** Without a maximum in the schema, the model could set a time that keeps a call open for ever. */
function isUncappedTime(key: string, schema: unknown): boolean {
  if (!wordsOf(key).some((word) => ["timeout", "deadline", "wait", "duration"].includes(word))) return false;
  return !hasKey(schema, "maximum") || typeof schema.maximum !== "number" || schema.maximum > longestTime;
}
