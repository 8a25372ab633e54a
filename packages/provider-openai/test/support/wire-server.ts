import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";

/** A server on loopback that answers as the test says, byte by byte, until the test has finished. */
export async function wireServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ baseURL: string }> {
  const { url } = await serve((request, response) => {
    request.resume();
    answer(response, request);
  });
  return { baseURL: `${url}/v1` };
}
