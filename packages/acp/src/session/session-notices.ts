import type { AcpSession } from "../acp-options.ts";
import type { EditorAbilities } from "../connection/editor-abilities.ts";
import type { Wire } from "../connection/wire.ts";
import { textBlock } from "../out/content-blocks.ts";
import { visibleLine } from "../out/visible-text.ts";

interface NoticeParts {
  made: Pick<AcpSession, "onNotice">;
  wire: Pick<Wire, "update">;
  can: Pick<EditorAbilities, "notices">;
}

/** Tells the person what is to be said beside the turns: as notices, or in an editor without them as words of the agent in a turn. */
export class SessionNotices {
  readonly #parts: NoticeParts;
  readonly #stopHearing: (() => void) | undefined;
  #waiting: string[] = [];
  #isAnnounced = false;
  #isInTurn = false;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    this.#stopHearing = parts.made.onNotice?.((text) => this.say(text));
  }

  say(text: string): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(text);
    this.#tell();
  }

  /** The editor knows the session. */
  announce(): void {
    this.#isAnnounced = true;
    this.#tell();
  }

  beginTurn(): void {
    this.#isInTurn = true;
    this.#tell();
  }

  endTurn(): void {
    this.#isInTurn = false;
  }

  close(): void {
    this.#stopHearing?.();
    this.#waiting = [];
  }

  #tell(): void {
    const { wire, can } = this.#parts;
    if (can.notices ? !this.#isAnnounced : !this.#isInTurn) return;
    const texts = this.#waiting;
    this.#waiting = [];
    for (const text of texts)
      void wire.update(
        can.notices
          ? { sessionUpdate: "notice", severity: "warning", title: visibleLine(text, 500) }
          : { sessionUpdate: "agent_message_chunk", content: textBlock(`${text}\n\n`) },
      );
  }
}

const mostWaiting = 100;
