import { sha256 } from "../rows/names.ts";
import type { Notifications } from "./notifications.ts";

/** Tells `watchWakes` of this and other processes that something is due, or becomes due at another time. */
export interface DueNotices {
  announce(): void;
  /** Something becomes due after `delay` milliseconds. Polls of other processes notice it unless it comes before them. */
  announceLater(delay: number): void;
  /** As `next` of Notifications. */
  next(signal: AbortSignal | undefined): Promise<void>;
}

/** @param pollInterval milliseconds */
export function dueNoticesOver(notifications: Notifications, pollInterval: number): DueNotices {
  return {
    announce: () => notifications.announce(name),
    announceLater: (delay) => (delay > pollInterval ? notifications.wake(name) : notifications.announce(name)),
    next: (signal) => notifications.next(name, signal),
  };
}

/** No key of a conversation. One name for all scopes: those who watch another one find nothing due. */
const name = sha256("what is due");
