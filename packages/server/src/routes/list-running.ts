import { jsonResponse } from "../json-response.ts";
import type { AskedOfOne } from "../route.ts";

/** `GET /conversations/ID/running`: the calls of this conversation that run now, as far as the host knows. */
export async function listRunning({ running, key }: AskedOfOne): Promise<Response> {
  return jsonResponse(
    200,
    running(key).map(({ id, line }) => ({ id, line })),
  );
}
