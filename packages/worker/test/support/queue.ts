import type { Dispatcher, WakeHandler } from "../../src/index.ts";

interface Wake {
  conversation: string;
  at: number;
  reason: string;
}

interface Hand {
  handler: WakeHandler;
  isBusy: boolean;
  running: Promise<void> | undefined;
}

/** An engine in this process, with the parts that a defect may replace. */
export class Queue {
  readonly waiting: Wake[] = [];
  readonly hands = new Set<Hand>();

  /** Whether a wake need not be kept beside what waits. */
  isKnown(wake: Wake): boolean {
    return this.waiting.some(({ conversation, at }) => conversation === wake.conversation && at === wake.at);
  }

  /** Who is called for the wake. */
  handFor(_wake: Wake): Hand | undefined {
    return [...this.hands].find(({ isBusy }) => !isBusy);
  }

  async call(hand: Hand, _wake: Wake): Promise<void> {
    await hand.handler().catch(() => {});
  }

  put(wake: Wake): void {
    if (this.isKnown(wake)) return;
    this.waiting.push(wake);
    setTimeout(() => this.give(), Math.max(0, wake.at - Date.now()) + 1);
  }

  give(): void {
    for (const wake of this.waiting.filter(({ at }) => at <= Date.now())) {
      const hand = this.handFor(wake);
      if (!hand) continue;
      this.waiting.splice(this.waiting.indexOf(wake), 1);
      hand.isBusy = true;
      hand.running = this.call(hand, wake).finally(() => {
        hand.isBusy = false;
        this.give();
      });
    }
  }

  dispatcher(): Dispatcher {
    return {
      wake: async ({ conversation }, { at = 0, reason }) => {
        this.put({ conversation, at: at <= Date.now() ? 0 : at, reason });
      },
      work: async (handler) => {
        const hand: Hand = { handler, isBusy: false, running: undefined };
        this.hands.add(hand);
        this.give();
        return async () => {
          this.hands.delete(hand);
          await hand.running;
        };
      },
    };
  }
}
