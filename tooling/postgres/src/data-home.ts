import { tmpdir } from "node:os";
import { homeInMemory } from "@tooling/vitest/home-in-memory";

/** Bytes that a server may need: its write-ahead log grows to 1 GiB before a checkpoint shortens it. */
const room = 3 * 2 ** 30;

/**
 * The folder for the data of a server: in memory if there is room and the data need not outlive the machine, because a new
 * database is 300 files, which take a disk about 200 ms.
 */
export function dataHome(durable: boolean): string {
  return durable ? tmpdir() : homeInMemory(room);
}
