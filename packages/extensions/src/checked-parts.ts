import type { Skill } from "@cogency/skills";
import type { ExtensionCommand } from "./extension.ts";

const wellNamed = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const longestName = 64;
const longestLine = 1024;

/** Characters of a skill's text, and of a command's. */
const longestText = 262_144;

/** @throws Error with what is wrong with it */
export function checkedSkill(given: unknown): Skill {
  const { name, description, text, allowedTools, folder, files, readFile } = fieldsOf(given, "skill");
  if (allowedTools !== undefined && !isTexts(allowedTools)) throw new Error("its allowedTools must be a list of texts");
  const isBeside = typeof folder === "string" && isTexts(files) && typeof readFile === "function";
  return Object.freeze({
    ...named(name, description),
    text: checkedText(text),
    ...(allowedTools !== undefined && { allowedTools }),
    ...(isBeside && { folder, files, readFile: (path: string) => Reflect.apply(readFile, given, [path]) }),
  });
}

/** @throws Error with what is wrong with it */
export function checkedCommand(given: unknown): ExtensionCommand {
  const { name, description, argumentHint, text } = fieldsOf(given, "command");
  if (argumentHint !== undefined && (typeof argumentHint !== "string" || argumentHint.length > longestLine))
    throw new Error("its argumentHint must be a short text, such as <stage>");
  return Object.freeze({
    ...named(name, description),
    ...(argumentHint !== undefined && { argumentHint }),
    text: checkedText(text),
  });
}

function checkedText(text: unknown): string {
  if (typeof text === "string" && text.trim() !== "" && text.length <= longestText) return text;
  throw new Error(`its text must be a string of 1 to ${longestText} characters`);
}

function fieldsOf(given: unknown, kind: string): Record<string, unknown> {
  if (typeof given !== "object" || given === null) throw new Error(`it is no ${kind}`);
  const holder = given as Record<string, unknown>;
  const fields = ["name", "description", "text", "allowedTools", "folder", "files", "readFile", "argumentHint"];
  return Object.fromEntries(fields.map((field) => [field, holder[field]]));
}

function named(name: unknown, description: unknown): { name: string; description: string } {
  if (typeof name !== "string" || name.length > longestName || !wellNamed.test(name))
    throw new Error("its name must have lower-case letters, digits and single hyphens, up to 64");
  if (typeof description !== "string" || description.trim() === "" || description.length > longestLine)
    throw new Error(`its description must be a text of 1 to ${longestLine} characters`);
  return { name, description };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
