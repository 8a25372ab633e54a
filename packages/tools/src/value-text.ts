import { clipped, nearestNames, shown } from "@cogency/protocol/options";

/** A short text for a value in an error message, which also shows a string. Never throws. */
export function valueText(value: unknown): string {
  if (typeof value === "bigint") return clipped(`${value}n`);
  if (typeof value === "symbol") return clipped(String(value));
  return typeof value === "string" ? JSON.stringify(clipped(value)) : shown(value);
}

/** Advice on what to write instead of an unknown name. */
export function advice(wrong: string, valid: readonly string[]): string {
  const near = nearestNames(wrong, valid);
  return near.length > 0 ? `did you mean ${quoted(near).join(" or ")}?` : `valid names: ${listed(valid)}.`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${quoted(names.slice(0, mostListed)).join(", ")}${more}`;
}

const mostListed = 20;

function quoted(names: readonly string[]): string[] {
  return names.map((name) => `\`${clipped(name)}\``);
}
