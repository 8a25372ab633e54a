/**
 * The line that says best why a program ended, of those that it wrote on stderr. The last one is often the place of a log, or the version
 * of Node.
 */
export function tellingLine(lines: readonly string[]): string | undefined {
  const last = lines.at(-1);
  if (last === undefined || saysWhy(last)) return last;
  return lines.find(saysWhy) ?? last;
}

function saysWhy(line: string): boolean {
  return (
    /error|exception|cannot|not found/i.test(line) &&
    !/^npm (?:error|ERR!)\s*(?:code|errno|A complete log|$)/.test(line)
  );
}
