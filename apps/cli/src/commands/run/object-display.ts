import { complain } from "../../base/errors/message-of.ts";
import { putLine } from "../../base/terminal/output.ts";
import type { RunDisplay } from "../../person/show/run-display.ts";
import { runRecord } from "./run-record.ts";

/** Prints nothing of a run until it has ended, then one object of JSON on one line. Its error is on stderr, too. */
export function objectDisplay(): RunDisplay {
  return {
    event() {},
    pause() {},
    resume() {},
    end(ended) {
      const { error } = ended.result;
      if (error) complain(error);
      void putLine(runRecord(ended));
    },
  };
}
