import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { convertToModelMessages, streamText, type UIMessage } from "ai";
import { model } from "./model.ts";

createServer(async (request, response) => {
  const { messages } = (await json(request)) as { messages: UIMessage[] };
  const result = streamText({ model, messages: await convertToModelMessages(messages) });
  await result.pipeUIMessageStreamToResponse(response);
}).listen(process.env.PORT);
