import type { Operation } from "./writer-process.ts";

/** What a store must contain, and what it may contain because of a killed writer's last operation. */
export interface Expected {
  /** By conversation, the acknowledged batches: name → the number of its last event. */
  logs: Map<string, Map<string, number>>;
  /** Batches that the log may also contain, each as a whole. */
  pending: Extract<Operation, { kind: "append" }>[];
  /** By user, the states of a profile that it may be in. */
  profiles: Map<string, { profile: string; version: number }[]>;
  /** The highest token that a lease had. */
  token: number;
  operations: number;
}

/** The reports of a writer until it was killed. */
export interface Work {
  writer: string;
  acknowledged: { operation: Operation; result: number }[];
  /** The operation that may have been running when it was killed. */
  pending: Operation | undefined;
}

export function nothingExpected(): Expected {
  return { logs: new Map(), pending: [], profiles: new Map(), token: 0, operations: 0 };
}

/** Adds the work of a killed writer. */
export function expectWork(expected: Expected, { writer, acknowledged, pending }: Work): void {
  for (const { operation, result } of acknowledged) expectDone(expected, writer, operation, result);
  expected.operations += acknowledged.length;
  if (pending?.kind === "append") expected.pending.push(pending);
  if (pending?.kind === "profile") {
    const [state] = expected.profiles.get(writer) ?? [];
    const next = { profile: pending.name, version: (state?.version ?? 0) + 1 };
    expected.profiles.set(writer, state ? [state, next] : [next]);
  }
}

function expectDone(expected: Expected, writer: string, operation: Operation, result: number): void {
  switch (operation.kind) {
    case "append": {
      const { conversation } = operation.key;
      const log = expected.logs.get(conversation) ?? new Map<string, number>();
      expected.logs.set(conversation, log.set(operation.name, result));
      break;
    }
    case "lease":
      expected.token = Math.max(expected.token, result);
      break;
    case "profile":
      expected.profiles.set(writer, [{ profile: operation.name, version: result }]);
      break;
    case "search":
      break;
  }
}
