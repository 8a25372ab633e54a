import type { StoredEvent } from "@cogency/storage";
import type { ComparedRun } from "./comparison.ts";

/** How the last turn of a log ended. */
export function statusOf(log: readonly StoredEvent[], cut: number): Pick<ComparedRun, "status" | "reason" | "message"> {
  const last = log.findLast(({ type, ...event }, index) => index >= cut && (type !== "record" || decides(event)));
  if (last?.type === "cancelled") return { status: "cancelled" };
  if (last?.type !== "record") return { status: "unfinished" };
  if (last.kind === "notice") {
    const { code, message } = last.data ?? {};
    return { status: "failed", ...texts(code, message) };
  }
  if (last.kind === "question") return { status: "waiting" };
  if (last.kind !== "run") return { status: "unfinished" };
  const { status, stop, error } = last.data ?? {};
  const known = statuses.find((one) => one === status);
  return known
    ? { status: known, ...texts(stop?.reason ?? error?.code, stop?.message ?? error?.message) }
    : { status: "unfinished" };
}

const statuses = ["completed", "stopped", "failed"] as const;

function decides(event: object): boolean {
  return (
    "kind" in event && ["run", "notice", "question", "answer", "approval", "finished"].includes(String(event.kind))
  );
}

function texts(reason: unknown, message: unknown): Pick<ComparedRun, "reason" | "message"> {
  return {
    ...(typeof reason === "string" && { reason }),
    ...(typeof message === "string" && message !== "" && { message }),
  };
}
