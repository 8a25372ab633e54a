/**
 * The response with a body that holds at most `most` bytes for a client that does not read: more end it. Other responses pass as they are.
 *
 * @param onEnd called once, when the body has been read, broken off or ended
 */
export function boundedStream(response: Response, most: number, onEnd: () => void = () => {}): Response {
  const { body, headers, status } = response;
  if (!body || !headers.get("content-type")?.startsWith("text/event-stream")) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  const bounded = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const copy = async () => {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            controller.enqueue(value);
            if ((controller.desiredSize ?? 0) > 0) continue;
            await reader.cancel();
            throw new Error("The client does not read the stream.");
          }
          controller.close();
        };
        copy()
          .catch((error) => controller.error(error))
          .finally(end);
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: most }),
  );
  return new Response(bounded, { status, headers });
}
