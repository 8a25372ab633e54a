import type { NoticeSource, UserEvent } from "./events.ts";

/** Who says a notice that comes from outside; none for other words. A log from elsewhere may hold anything: what is no source is left out. */
export function noticeSources({ origin, sources }: UserEvent): NoticeSource[] {
  return origin === "notice" && Array.isArray(sources) ? sources.filter(isSource) : [];
}

function isSource(value: unknown): value is NoticeSource {
  const { source, count, holds } = (value ?? {}) as Partial<NoticeSource>;
  return typeof source === "string" && Number.isFinite(count) && (holds === undefined || kinds.has(holds));
}

const kinds: ReadonlySet<unknown> = new Set(["untrusted", "private"]);
