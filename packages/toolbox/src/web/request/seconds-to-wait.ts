/** The seconds in a `retry-after` header, which holds seconds or a date. */
export function secondsToWait(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
