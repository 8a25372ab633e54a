import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { WebError } from "../web-error.ts";

/**
 * Reads and unpacks the body of an answer. It never holds more than `maxBytes`, however large the body unpacks.
 *
 * @throws WebError `too_large`, `bad_response`, `network`
 */
export async function readBody(response: IncomingMessage, url: string, maxBytes: number): Promise<Buffer> {
  const unpacked = unpack(response, url);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new WebError("too_large", url, `"${url}" has more than ${maxBytes} bytes, the most that is read.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof WebError ? error : broken(error, url);
  }
  return Buffer.concat(chunks);
}

/** The encodings that `readBody` understands, for the request header. */
export const acceptedEncodings = "gzip, br";

function unpack(response: IncomingMessage, url: string): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const decoder = decoders.get(encoding)?.();
  if (!decoder) throw new WebError("bad_response", url, `"${url}" came packed in a way that was not asked for.`);
  // An error of either stream ends the other, and appears to the reader of the decoder.
  return pipeline(response, decoder, () => {});
}

const decoders = new Map<string, () => Duplex>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

function broken(cause: unknown, url: string): WebError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR")
    ? new WebError("bad_response", url, `"${url}" came packed, and cannot be unpacked.`, { cause })
    : new WebError("network", url, `The connection broke off in the middle of "${url}". Try again later.`, { cause });
}
