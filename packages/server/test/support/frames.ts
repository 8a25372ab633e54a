import { reading } from "./site.ts";

/** One server-sent event of a response. */
export interface ReadFrame {
  readonly id?: number;
  readonly event?: string;
  readonly data: unknown;
}

/** Reads the server-sent events of a response, without comments and the time to connect again. */
export function framesOf(response: Response) {
  const chunks = reading(response);
  return {
    /** Undefined at the end. */
    async next(): Promise<ReadFrame | undefined> {
      for (;;) {
        const chunk = await chunks.next();
        if (chunk === undefined) return undefined;
        const [, id, event, data] = /^(?:id: (\d+)\n)?(?:event: (\w+)\n)?data: (.*)\n\n$/.exec(chunk) ?? [];
        if (data === undefined) continue;
        return {
          ...(id !== undefined && { id: Number(id) }),
          ...(event !== undefined && { event }),
          data: JSON.parse(data),
        };
      }
    },
    chunk: () => chunks.next(),
    leave: () => chunks.leave(),
  };
}
