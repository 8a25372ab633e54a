import { describe, expect, it, vi } from "vitest";
import type { Pool } from "../database/connect.ts";
import { type ChannelHandler, listenerOver } from "./listener.ts";

describe("listenerOver", () => {
  it("listens over one connection, with one statement for channels that come at once, and ends it with the last one", async () => {
    const { connections, pool } = fakePool();
    const listener = listenerOver(pool);
    const [a, b] = [handler(), handler()];
    const stops = [listener.listen("a", a), listener.listen("b", b)];
    await vi.waitFor(() => expect([a.count, b.count]).toEqual([1, 1]));
    stops[0]?.();
    stops[0]?.();
    await vi.waitFor(() => expect(connections[0]?.statements).toEqual(['LISTEN "a";LISTEN "b"', 'UNLISTEN "a"']));
    connections[0]?.notify("a", "too late");
    connections[0]?.notify("b", "x");
    expect([a.received, b.received]).toEqual([[], ["x"]]);
    stops[1]?.();
    expect(connections).toMatchObject([{ isEnded: true }]);
    listener.listen("a", a);
    expect(connections).toHaveLength(2);
  });

  it("listens to all channels again after the connection was lost, also in the middle of a statement", async () => {
    const { connections, pool } = fakePool();
    const listener = listenerOver(pool);
    const [a, b] = [handler(), handler()];
    const stop = listener.listen("a", a);
    listener.listen("b", b);
    await vi.waitFor(() => expect(a.count).toBe(1));
    const [connection] = connections;
    connection?.hang();
    stop();
    await vi.waitFor(() => expect(connection?.statements).toContain('UNLISTEN "a"'));
    connection?.lose();
    await vi.waitFor(() => expect([a.count, b.count]).toEqual([1, 2]));
    expect(connection?.statements.at(-1)).toBe('LISTEN "b"');
  });

  it("listens over another client when one never writes", async () => {
    const { connections, pool } = fakePool();
    const b = handler();
    listenerOver(pool).listen("b", b);
    await vi.waitFor(() => expect(b.count).toBe(1));
    connections[0]?.stuck();
    await vi.waitFor(() => expect(b.count).toBe(2));
    expect(connections).toMatchObject([{ isEnded: true }, { isEnded: false, statements: ['LISTEN "b"'] }]);
  });
});

function handler(): ChannelHandler & { count: number; received: string[] } {
  return {
    count: 0,
    received: [],
    listening() {
      this.count++;
    },
    receive(payload) {
      this.received.push(payload);
    },
  };
}

interface Settings {
  onnotify(channel: string, payload: string): void;
  onclose(): void;
}

/** A pool whose connections carry out every statement, unless they hang. */
function fakePool() {
  const connections: ReturnType<typeof connectionOf>[] = [];
  const connectBeside = ({ settings, stuck }: { settings: Settings; stuck(): void }) => {
    const connection = connectionOf(settings, stuck);
    connections.push(connection);
    return connection;
  };
  return { connections, pool: { connectBeside } as unknown as Pool };
}

function connectionOf({ onnotify, onclose }: Settings, stuck: () => void) {
  let isHanging = false;
  const statements: string[] = [];
  const connection = {
    statements,
    isEnded: false,
    sql: {
      unsafe(statement: string) {
        statements.push(statement);
        return isHanging ? new Promise(() => {}) : Promise.resolve([]);
      },
    },
    end: async () => {
      connection.isEnded = true;
    },
    notify: onnotify,
    stuck,
    hang: () => {
      isHanging = true;
    },
    lose: () => {
      isHanging = false;
      onclose();
    },
  };
  return connection;
}
