/**
 * How `keys.due_at` and `keys.held_at` hold "at once": a time below 0, which is due whatever the clock of a process says. The
 * time of the clock that set it gives the order. Only this file knows the layout.
 */
const always = 1e14;

/** @param now Unix milliseconds */
export function atOnce(now: number): number {
  return now - always;
}

/** `atOnce` of an SQL expression. */
export function atOnceOf(now: string): string {
  return `(${now} - ${always})`;
}

/** The Unix milliseconds of a due time; not after `now` if it is due at once. */
export function timeOfDue(dueTime: number, now: number): number {
  return dueTime < 0 ? Math.min(dueTime + always, now) : dueTime;
}

/** A time that a caller gave, as a due time: it must not be below 0. */
export function dueTimeOf(time: number): number {
  return Math.max(0, time);
}
