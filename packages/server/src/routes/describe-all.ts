import { jsonResponse } from "../json-response.ts";
import { description } from "../openapi/description.ts";
import type { Asked } from "../route.ts";

/** `GET /openapi.json`: every address, method, body and response, in OpenAPI 3.1. */
export async function describeAll({ prefix }: Asked): Promise<Response> {
  return jsonResponse(200, description(prefix));
}
