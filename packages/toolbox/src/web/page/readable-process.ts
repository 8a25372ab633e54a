import { readableText } from "./readable-text.ts";

// The program that `readApart` starts in a process of its own: it reads one page and sends one answer.
process.once("message", ({ html, url }: { html: string; url: string }) => {
  process.send?.(answerTo(html, url), () => process.disconnect());
});

function answerTo(html: string, url: string) {
  try {
    return { read: readableText(html, url) };
  } catch (error) {
    return { problem: error instanceof RangeError ? error.message : "the page could not be taken apart" };
  }
}
