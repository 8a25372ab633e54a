import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

/** More bytes than any real answer has. */
const floodBytes = 256 * 2 ** 20;

/** Writes `piece` repeatedly, no faster than the client reads, until the client leaves or `bytes` are written. */
export async function flood(response: ServerResponse, piece: string | Buffer, bytes = floodBytes): Promise<void> {
  const chunk = Buffer.concat(
    Array.from({ length: Math.max(1, Math.floor(65_536 / piece.length)) }, () => Buffer.from(piece)),
  );
  for (let sent = 0; sent < bytes && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves when the client has read everything, or has left. */
export function drained(stream: ServerResponse | Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.once("drain", done);
    stream.once("close", done);
  });
}

/** A body that is small on the wire: 256 MiB of the same text, compressed. */
export function bomb(packing: "gzip" | "deflate" | "br", text = " "): Buffer {
  const block = Buffer.from(text.repeat(Math.ceil((8 * 2 ** 20) / text.length)));
  // Only gzip can stand one behind the other.
  if (packing === "gzip") return Buffer.concat(Array.from({ length: floodBytes / 2 ** 23 }, () => gzipSync(block)));
  const whole = Buffer.alloc(floodBytes, block);
  return packing === "deflate"
    ? deflateSync(whole, { level: 1 })
    : brotliCompressSync(whole, { params: { 0: 1, 1: 1 } });
}
