import { createHash } from "node:crypto";

interface PolicyParts {
  /** The text of the one script of the page. */
  readonly script: string;
  /** The text of its one style. */
  readonly style: string;
  /** Whether the page may ask its own origin; it asks no other one. */
  readonly asks: boolean;
  /** Whether it shows pictures that stand in its own text. Defaults to false. */
  readonly pictures?: boolean;
}

/**
 * The Content-Security-Policy of a page that loads nothing: its own script and style by their hashes, and no HTML from a text. A server
 * that sends it as a header may add `frame-ancestors`, which only a header can say.
 */
export function contentPolicy({ script, style, asks, pictures = false }: PolicyParts): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    ...(pictures ? ["img-src data:"] : []),
    `connect-src ${asks ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
