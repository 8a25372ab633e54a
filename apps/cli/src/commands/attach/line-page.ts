import { TranscriptWriter } from "../../person/show/transcript.ts";
import type { WatchedPage } from "./watched-page.ts";

/** Shows a watched run in plain lines, each unit once it is stored: for files, pipes and screen readers. */
export function linePage({
  print,
  stream,
  refresh,
  most,
}: Omit<WatchedPage, "event" | "pieces" | "idle">): WatchedPage {
  const writer = new TranscriptWriter({ thinking: false, stream });
  return {
    event(event, approval) {
      const text = writer.event(event, approval);
      if (text !== "") print(text);
    },
    pieces() {},
    idle() {},
    print,
    refresh,
    stream,
    most,
  };
}
