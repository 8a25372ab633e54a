import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";
import { unpack } from "@tooling/checks/pack";
import type { Executable } from "./executable.ts";

/**
 * Finds a Chromium: the one that `CHROMIUM_PATH` names, else one on the `PATH`, else that of `@sparticuz/chromium`,
 * unpacked into `folder`. Undefined if there is none for this platform.
 */
export async function findChromium(engines: string, folder: string): Promise<Executable | undefined> {
  const installed = process.env.CHROMIUM_PATH || fromPath(process.env.PATH ?? "");
  if (installed) return { file: installed, env: {} };
  const archives = join(engines, "node_modules/@sparticuz/chromium/bin");
  const fits = process.platform === "linux" && process.arch === "x64";
  return fits && existsSync(archives) ? unpackChromium(archives, folder) : undefined;
}

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function fromPath(path: string): string | undefined {
  const candidates = names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Unpacks the browser and the libraries that it loads, because a small image may lack them. */
async function unpackChromium(archives: string, folder: string): Promise<Executable> {
  mkdirSync(folder);
  const file = join(folder, "chromium");
  await pipeline(
    createReadStream(join(archives, "chromium.br")),
    createBrotliDecompress(),
    createWriteStream(file, { mode: 0o755 }),
  );
  const libraries = join(folder, "lib.tar");
  writeFileSync(libraries, brotliDecompressSync(readFileSync(join(archives, "al2023.tar.br"))));
  unpack(libraries, join(folder, "lib"));
  return { file, env: { LD_LIBRARY_PATH: join(folder, "lib") } };
}
