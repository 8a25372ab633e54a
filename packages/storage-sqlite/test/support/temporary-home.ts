import { homeInMemory } from "@tooling/vitest/home-in-memory";

/**
 * The folder for the stores of tests: in memory if there is 1 GiB, because a delete waits for the disk several times. `pnpm soak`
 * kills, damages and cuts off stores on a disk.
 */
export const temporaryHome = homeInMemory(2 ** 30);
