/**
 * A value on one line, as JSON writes it, so that it cannot look like another line. Characters that steer a terminal stay as they are:
 * what shows the line escapes them.
 */
export function quoted(value: unknown): string {
  return (JSON.stringify(value) ?? "").replace(/\\(?:u([\da-f]{4})|.)/g, (sequence, digits?: string) =>
    digits === undefined ? sequence : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** What stands before the keys of a profile: `profiles.fast.` */
export function profilePath(profile: string): string {
  return `profiles.${/^[\w-]+$/.test(profile) ? profile : quoted(profile)}.`;
}
