import { asSchema, readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from "ai";

/** The message that the AI SDK makes of chunks, each of which fits its schema. `message` is the one that the stream goes on with. */
export async function judged<M extends UIMessage>(
  chunks: readonly UIMessageChunk[],
  message?: M,
): Promise<M | undefined> {
  const schema = asSchema(uiMessageChunkSchema);
  for (const chunk of chunks) {
    const read = await schema.validate?.(chunk);
    if (!read?.success) throw new Error(`No chunk of the AI SDK: ${JSON.stringify(chunk)}`);
  }
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk));
      controller.close();
    },
  });
  let last: M | undefined;
  const given = message && { message: structuredClone(message) };
  for await (const state of readUIMessageStream<M>({ stream, ...given, terminateOnError: true })) last = state;
  return last && JSON.parse(JSON.stringify(last));
}
