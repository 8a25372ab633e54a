import postgres from "postgres";
import type { BenchServer } from "./server.ts";
import { serverCpu } from "./server-cpu.ts";

/** What NOTIFY costs where so many connections listen. */
export interface Notices {
  listeners: number;
  /** A second, from one connection after the other's answer. */
  rate: number;
  /** Milliseconds of processor time of the server for each. */
  cpu: number;
}

const duration = 2000;

/** Sends as the store does: without waiting for the disk. */
export async function notices({ server, inDatabase }: BenchServer, listeners: number): Promise<Notices> {
  return inDatabase(async (url) => {
    const clients = Array.from({ length: listeners }, () => postgres(url, { max: 1, fetch_types: false }));
    const sender = postgres(url, { max: 1, fetch_types: false });
    try {
      let heard = 0;
      await Promise.all(clients.map((client) => client.listen("bench", () => heard++)));
      const notify = () =>
        sender`SELECT set_config('synchronous_commit', 'off', true), pg_notify('bench', 'a name of 24 characters.')`;
      for (let done = 0; done < 50; done++) await notify();
      const [cpu, begun] = [serverCpu(server.pid), performance.now()];
      let sent = 0;
      while (performance.now() - begun < duration) {
        await notify();
        sent++;
      }
      const rate = (1000 * sent) / (performance.now() - begun);
      if (listeners > 0 && heard === 0) throw new Error("No listener received a notification.");
      return { listeners, rate, cpu: (serverCpu(server.pid) - cpu) / sent };
    } finally {
      await Promise.all([...clients, sender].map((client) => client.end()));
    }
  });
}
