import { contentPolicy } from "@cogency/page/node";

/** An HTML text and the Content-Security-Policy under which it works. */
export interface WebPage {
  readonly html: string;
  readonly policy: string;
}

/** A page of one script and one style, which asks its own origin only. */
export function webPage({ body, script, style }: { body: string; script: string; style: string }): WebPage {
  const html = [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Cogency</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">',
    `<style>${style}</style>\n</head>\n<body>\n${body}\n<script>${script}</script>\n</body>\n</html>\n`,
  ].join("\n");
  const policy = contentPolicy({ script, style, asks: true });
  return { html, policy };
}
