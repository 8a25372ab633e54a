/** Returns how the command crashed, if it did. The exit code 1 stands for an unexpected error. */
export function crash({
  code,
  signal,
  stderr,
  isHung,
}: {
  code: number | null;
  signal: string | null;
  stderr: string;
  isHung: boolean;
}): string | undefined {
  if (isHung) return "did not end";
  if (signal) return `was ended by ${signal}`;
  if (code === 1 || code === 7) return `failed unforeseen: ${stderr.slice(0, 120)}`;
  return undefined;
}
