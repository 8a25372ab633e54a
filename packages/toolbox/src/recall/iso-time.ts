/** Unix time in seconds as ISO 8601; "unknown" for what lies outside the calendar. */
export function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? "unknown" : time.toISOString();
}
