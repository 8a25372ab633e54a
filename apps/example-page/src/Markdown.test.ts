import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { Markdown } from "./Markdown.tsx";

/** Shows a text, and then others in its place. */
function shown() {
  const html = document.body.appendChild(document.createElement("div"));
  const root = createRoot(html);
  onTestFinished(() => {
    root.unmount();
    html.remove();
  });
  return (text: string, isOpen = false): string => {
    flushSync(() => root.render(createElement(Markdown, { text, isOpen })));
    return html.querySelector(".markdown")?.innerHTML ?? "";
  };
}

const text = `# A *title*

Some \`code\`, **bold** & <b>no HTML</b>, a [link](https://example.com/a).

- one
- two

\`\`\`js
const a = 1 < 2;
\`\`\`

| a | b |
| - | - |
| 1 | 2 |
`;

describe("Markdown", () => {
  it("is the same letter by letter and at once", () => {
    const show = shown();
    for (let end = 1; end < text.length; end++) show(text.slice(0, end), true);
    expect(show(text)).toBe(shown()(text));
    expect(show(text)).toContain("<strong>bold</strong>");
    expect(show(text)).toContain("&lt;b&gt;no HTML&lt;/b&gt;");
  });

  it("keeps the elements that are written while the text grows", () => {
    const show = shown();
    show("One.\n\nTwo", true);
    const first = document.querySelector(".markdown p");
    show("One.\n\nTwo and more", true);
    show("One.\n\nTwo and more.\n");
    expect(document.querySelector(".markdown p")).toBe(first);
  });

  it("begins anew with another text", () => {
    const show = shown();
    show("One", true);
    expect(show("Two more", true)).toBe("<p>Two mor</p>");
    expect(show("Two more")).toBe("<p>Two more</p>");
    expect(show("Other")).toBe("<p>Other</p>");
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "/api/conversations",
    "vbscript:x",
    "file:///etc/passwd",
  ])("leads nowhere for the link %j", (address) => expect(shown()(`[a](${address})`)).not.toContain("href"));

  it("shows a picture as a link, so that nothing is fetched before a person wants it", () => {
    const html = shown()("![a](https://example.com/a.png)");
    expect(html).not.toContain("<img");
    expect(html).toContain('href="https://example.com/a.png"');
  });

  it("puts headings below those of the page", () => {
    expect(shown()("# a\n\n##### b")).toMatch(/<h3>a<\/h3><h6>b<\/h6>/);
  });
});
