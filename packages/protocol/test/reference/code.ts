/**
 * P10: whether code is open at the end of `unit`, which is the reply from the beginning of a unit up to a marker.
 * Each unit begins a line, with no code open.
 */
export function endsInCode(unit: string): boolean {
  const lines = unit.split(/[\n\r]/);
  const lastLine = lines.pop() ?? "";
  return fenceAfter(lines) > 0 || spanAfter(lastLine) > 0;
}

/** The number of backticks of the fence that is open after these lines, 0 if none is. */
function fenceAfter(lines: string[]): number {
  let fence = 0;
  for (const line of lines) {
    if (fence === 0) {
      // Three or more backticks that begin a line, with no further backtick on that line.
      fence = /^[ \t]*(`{3,})[^`]*$/.exec(line)?.[1]?.length ?? 0;
    } else {
      // A line of at least as many backticks and nothing else.
      const closer = /^[ \t]*(`+)[ \t]*$/.exec(line)?.[1]?.length ?? 0;
      if (closer >= fence) fence = 0;
    }
  }
  return fence;
}

/** The number of backticks of the run that is open at the end of a line; an equal run closes it. */
function spanAfter(line: string): number {
  let span = 0;
  for (const run of line.match(/`+/g) ?? []) {
    if (span === 0) span = run.length;
    else if (span === run.length) span = 0;
  }
  return span;
}
