import { describe, expect, it } from "vitest";
import { models, ownProcesses } from "./support/command-line.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

const enter = "\r";

describe.skipIf(!hasTmux)("cogency notify, beside a chat in tmux,", () => {
  it("wakes the idle chat, which shows it without its control characters; a quiet one waits for the next prompt", async () => {
    const place = ownProcesses();
    const { cogency } = place;
    const chat = ["--conversation", "c", "--provider", models, "--model", "echo"];
    const terminal = tmuxTerminal(place, chat, { rows: 40, columns: 100 });
    await terminal.shows(/ready/);
    terminal.type(`hi${enter}`);
    await terminal.shows(/You said \d+ characters\.[\s\S]*ready/);
    const notify = (text: string, ...options: string[]) => cogency(["notify", "c", text, "--source", "ci", ...options]);
    expect(await notify("a.ts has changed", "--no-wake")).toMatchObject({ code: 0 });
    expect(await notify("build 12 \u001b[2Jfailed")).toMatchObject({ code: 0 });
    const woken = await terminal.shows(/- ci: build 12 .*failed[\s\S]*You said \d{2,} characters\.[\s\S]*ready/);
    // The quiet one came along, and both are one notice and one turn.
    expect(woken).toMatch(/Notices from outside, the oldest first\.\n.*- ci: a\.ts has changed\n/);
    expect(woken).toMatch(/hi\n/);
    expect(woken.match(/You said/g)).toHaveLength(2);
    expect(await notify("b.ts has changed", "--no-wake")).toMatchObject({ code: 0 });
    terminal.type(`well?${enter}`);
    const answered = await terminal.shows(/b\.ts has changed[\s\S]*You said \d+ characters\.[\s\S]*ready/);
    expect(answered.match(/You said/g)).toHaveLength(3);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });
});
