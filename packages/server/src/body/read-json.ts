import { inTime } from "@cogency/async";
import { Problem } from "../problem.ts";
import type { Asked } from "../route.ts";

/**
 * Reads a body of JSON that is an object. A body that is too large, or that comes too slowly, is not read to its end.
 *
 * @throws Problem `unsupported_type`, `too_large`, `timeout`, `invalid_request`
 */
export async function readJson({
  request,
  maxBodyBytes,
  bodyTimeout,
}: Pick<Asked, "request" | "maxBodyBytes" | "bodyTimeout">): Promise<Readonly<Record<string, unknown>>> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  // A form of another site cannot send this type without asking first.
  if (type.trim().toLowerCase() !== "application/json")
    throw new Problem("unsupported_type", "Send the content type application/json.");
  const value = parsed(await readText({ request, maxBodyBytes, bodyTimeout }));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Problem("invalid_request", "The body is not a JSON object.");
  return value as Readonly<Record<string, unknown>>;
}

/**
 * Reads a body as text. One that is too large, or that comes too slowly, is not read to its end.
 *
 * @throws Problem `too_large`, `timeout`, `invalid_request`
 */
export async function readText({
  request,
  maxBodyBytes,
  bodyTimeout,
}: Pick<Asked, "request" | "maxBodyBytes" | "bodyTimeout">): Promise<string> {
  if (Number(request.headers.get("content-length")) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (!request.body) return "";
  const reader = request.body.getReader();
  const late = () => new Problem("timeout", `The body did not come within ${bodyTimeout / 1000} s.`);
  try {
    return await inTime(decoded(reader, maxBodyBytes), bodyTimeout, late);
  } catch (error) {
    reader.cancel().catch(() => {});
    if (error instanceof Problem) throw error;
    throw new Problem("invalid_request", "The body broke off, or it is not UTF-8.", { cause: error });
  }
}

async function decoded(reader: ReadableStreamDefaultReader<Uint8Array>, maxBodyBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const texts: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return [...texts, decoder.decode()].join("");
    size += value.byteLength;
    if (size > maxBodyBytes) throw tooLarge(maxBodyBytes);
    texts.push(decoder.decode(value, { stream: true }));
  }
}

function tooLarge(maxBodyBytes: number): Problem {
  return new Problem("too_large", `A body has at most ${maxBodyBytes} bytes.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("invalid_request", "The body is not JSON.");
  }
}
