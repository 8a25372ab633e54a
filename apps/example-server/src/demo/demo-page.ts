import { curlsOf, type Example, sentences } from "./examples.ts";

/** A page that lists what to try. */
export function demoPage(examples: readonly Example[]): Response {
  const says = sentences.map(([words, effect]) => `<li><q>${escaped(words)}</q>: ${escaped(effect)}</li>`);
  const asks = examples.map(
    (example) =>
      `<h2>${escaped(example.wire)}</h2><p><code>${escaped(example.client)}</code></p><pre>${escaped(curlsOf(example).join("\n"))}</pre>`,
  );
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cogency: one agent, four wires</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;background:#8882;padding:.5rem}</style>
<h1>One agent, four wires</h1><p>No key is needed: the model plays a few sentences.</p><ul>${says.join("")}</ul>${asks.join("\n")}</html>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
