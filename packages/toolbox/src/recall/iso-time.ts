/** Unix time in seconds as ISO 8601; "unknown" for a time outside the range of dates. */
export function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "unknown" : time.toISOString();
}
