import { counted } from "../../base/terminal/text.ts";

/** How long ago a Unix time in seconds is; its day if that is more than a week ago, or in the future. */
export function when(seconds: number, now = Date.now()): string {
  const passed = now / 1000 - seconds;
  // Clocks of two machines differ.
  if (passed > -60 && passed < 60) return "just now";
  if (passed > 0 && passed < week) {
    if (passed < hour) return `${Math.floor(passed / 60)} min ago`;
    return passed < day ? `${Math.floor(passed / hour)} h ago` : `${counted(Math.floor(passed / day), "day")} ago`;
  }
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) return "unknown";
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

const hour = 3600;
const day = 24 * hour;
const week = 7 * day;
