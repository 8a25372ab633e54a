import { LoginError } from "./login-error.ts";

const mostBytes = 262_144;

/**
 * The JSON object in an answer, or undefined if it holds none.
 *
 * @throws LoginError `bad_answer` if it is longer than 256 KiB
 */
export async function readJson(url: URL, response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readText(url, response);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function readText(url: URL, response: Response): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      void reader.cancel().catch(() => {});
      throw new LoginError("bad_answer", `${url.host} answered the login with more than ${mostBytes / 1024} KiB.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
