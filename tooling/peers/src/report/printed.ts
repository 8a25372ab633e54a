import { columns } from "@tooling/bench";
import { type Figures, isNoisy, type PeerFigures } from "../figures/figures.ts";
import { cellText, rows } from "./rows.ts";
import { workText } from "./work-text.ts";

/** The figures as tables for a terminal, with the reason below for each that there is not. */
export function printed({ machine, peers }: Figures): string {
  const { processor, cores, load, endLoad, isConfined } = machine;
  const noise = isNoisy(machine) ? "; noisy: do not compare" : "";
  const network = isConfined ? "loopback only" : "the network of this machine, which could not be taken away";
  const header = `${processor}, ${cores} cores, load ${load.toFixed(2)} at the start and ${endLoad.toFixed(2)} at the end${noise}; ${network}`;
  const names = peers.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const asked = rows.filter((row) => peers.some((peer) => row.of(peer) !== undefined));
  const compared = columns([
    ["", ...names],
    ...asked.map((row) => [`${row.title}, ${row.unit}`, ...peers.map((peer) => cellText(row.of(peer), row))]),
  ]);
  const works = peers.flatMap(({ name, work = [] }) =>
    work.map(({ mode, result }) => `${name}, ${mode}: ${workText(result)}`),
  );
  return [
    header,
    ...(asked.length > 0 ? ["", ...compared] : []),
    ...(works.length > 0 ? ["", "eight steps of work:", ...works] : []),
    ...failures(peers).flatMap((failure) => ["", failure]),
    "",
  ].join("\n");
}

/** Each reason why a figure is missing. */
function failures(peers: readonly PeerFigures[]): string[] {
  const found = peers.flatMap(({ name, start, oneShot, streaming, steps, work = [] }) => [
    ...Object.entries({ start, oneShot, streaming, steps }).map(([kind, result]) => ({
      what: `${name}, ${kind}`,
      result,
    })),
    ...work.map(({ mode, result }) => ({ what: `${name}, work, ${mode}`, result })),
  ]);
  return found.flatMap(({ what, result }) =>
    result && "failed" in result ? [`${what} did not run: ${result.failed}`] : [],
  );
}
