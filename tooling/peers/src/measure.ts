import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { listen } from "@tooling/loopback/listen";
import { isConfined } from "./confine.ts";
import type { Figures, PeerFigures } from "./figures/figures.ts";
import { type Kind, measurePeer } from "./figures/measure-peer.ts";
import { writeProject } from "./figures/project.ts";
import { cacheFolder, folderOf } from "./install.ts";
import { serveModel } from "./model/serve-model.ts";
import type { Peer, Place } from "./peers/peer.ts";
import { endAll } from "./processes.ts";

/** Measures peers one after another, each in a home and a project of its own, which are removed at the end. */
export async function measure(
  peers: readonly Peer[],
  asked: ReadonlySet<Kind>,
  missing: ReadonlyMap<string, string | undefined>,
): Promise<Figures> {
  const [load = 0] = loadavg();
  // Not in the temporary folder: codex does not run commands from a home there.
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, "run-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      endAll();
      remove();
      process.exit(1);
    });
  const server = await serveModel();
  const port = await unusedPort();
  const measured: PeerFigures[] = [];
  try {
    for (const peer of peers) {
      const home = join(folder, peer.name, "home");
      const project = join(folder, peer.name, "project");
      const place: Place = { installed: folderOf(peer), home, project, url: server.url };
      writeProject(project, port);
      peer.prepare(place);
      measured.push(await measurePeer({ peer, place, server }, asked, port, missing.get(peer.name)));
    }
  } finally {
    server.close();
    remove();
  }
  const [endLoad = 0] = loadavg();
  const processor = cpus()[0]?.model ?? "";
  return { machine: { processor, cores: availableParallelism(), load, endLoad, isConfined }, peers: measured };
}

/** A port that nothing listens on now, for the server that the model lets the peers start. */
async function unusedPort(): Promise<number> {
  let end = () => {};
  const { port } = await listen(createServer(), { onEnd: (close) => (end = close) });
  end();
  return port;
}
