import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PageEvent } from "../page-source.ts";
import { pageHtml, pagePolicy } from "./page-html.ts";

const hostile = "</script><script>alert(1)</script><!-- \u2028 \ud800 ]]>";
const events: PageEvent[] = [{ type: "user", content: hostile, timestamp: 1, seq: 1 }];
const html = pageHtml({ type: "trace", conversation: hostile, events, isRedacted: true });

describe("the page", () => {
  it("holds a log whatever its text is, and no element of it", () => {
    const [, json = ""] = /<script type="application\/json" id="source">(.*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual({ type: "trace", conversation: hostile, events, isRedacted: true });
    expect(/[<\u2028]/.test(json)).toBe(false);
    // A third one would hide the end of the script from the browser.
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  it("loads nothing from elsewhere, and runs only its own script", () => {
    const [, script = ""] = /<script>(.*)<\/script>/s.exec(html) ?? [];
    const hash = createHash("sha256").update(script).digest("base64");
    expect(html.includes(`content="${pagePolicy("trace")}"`)).toBe(true);
    expect(pagePolicy("trace")).toMatch(/^default-src 'none'.*connect-src 'none'/);
    expect(pagePolicy("trace")).toContain(`script-src 'sha256-${hash}'`);
    expect(pagePolicy("live")).toContain("connect-src 'self'");
    expect(html.includes('<meta name="referrer" content="no-referrer">')).toBe(true);
    const [head = ""] = html.split("<style>");
    expect(head).not.toMatch(/\b(src|href)=/);
  });
});
