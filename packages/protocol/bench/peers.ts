import { JSONParser } from "@streamparser/json";
import { Parser as HtmlParser } from "htmlparser2";
import { parse as parsePartial } from "partial-json";
import { Consumer } from "./consumer.ts";
import type { Found, Input } from "./input.ts";
import type { Dialect } from "./transcripts.ts";

/** Reads one chunk at a time, so that single chunks can be timed. */
export interface Session {
  write(chunk: string): void;
  calls: readonly unknown[];
}

/**
 * Adds each chunk to a buffer and searches the buffer for a closed block. Finds calls only, at the end of the block.
 */
export function bufferAndRegex(dialect: Dialect): Session {
  const closedBlock = dialect === "json" ? closedJsonBlock : closedXmlBlock;
  let buffer = "";
  const session: Session = {
    calls: [],
    write(chunk) {
      buffer += chunk;
      const content = closedBlock.exec(buffer)?.[1];
      if (content === undefined) return;
      session.calls = dialect === "json" ? (JSON.parse(content) as unknown[]) : xmlCalls(content);
    },
  };
  return session;
}

const closedJsonBlock = /<execute>\s*(\[[\s\S]*?\])\s*<\/execute>/;
const closedXmlBlock = /<execute>\s*(<[\s\S]*?>)\s*<\/execute>/;
const xmlElement = /<([\w.-]+)>([\s\S]*?)<\/\1>/g;

function xmlCalls(content: string): unknown[] {
  return Array.from(content.matchAll(xmlElement), ([, name, body = ""]) => {
    const args = Array.from(body.matchAll(xmlElement), ([, key = "", value = ""]) => [key, withoutLayout(value)]);
    return { name, args: Object.fromEntries(args) as unknown };
  });
}

/**
 * Parses the open block again after each chunk, so that half a call can be shown. Searches other text for the block, piece
 * by piece. Finds calls only, as they grow.
 */
export function reparse(): Session {
  let tail = "";
  let block: string | undefined;
  let isClosed = false;
  const session: Session = {
    calls: [],
    write(chunk) {
      if (isClosed) return;
      if (block === undefined) {
        tail += chunk;
        block = openBlock.exec(tail)?.[1];
        tail = tail.slice(-20);
      } else {
        block += chunk;
      }
      if (block === undefined) return;
      const end = block.indexOf("</execute>", block.length - chunk.length - 20);
      isClosed = end >= 0;
      session.calls = parsePartial(isClosed ? block.slice(0, end) : block) as unknown[];
    },
  };
  return session;
}

const openBlock = /<execute>\s*(\[[\s\S]*)/;

/** Gets the JSON of the block and nothing else. Finds calls only, as each closes. */
export function streamedJson({ chunks, blockStart, blockEnd }: Input): Found {
  const calls: unknown[] = [];
  const parser = new JSONParser({ paths: ["$.*"], keepStack: false });
  parser.onValue = ({ value }) => calls.push(value);
  const start = blockStart + "<execute>".length;
  let offset = 0;
  for (const chunk of chunks) {
    const end = offset + chunk.length;
    if (offset >= start && end <= blockEnd) parser.write(chunk);
    else if (end > start && offset < blockEnd) {
      parser.write(chunk.slice(Math.max(0, start - offset), Math.min(chunk.length, blockEnd - offset)));
    }
    offset = end;
  }
  return { calls, parser };
}

/**
 * Reads all tags, also those in code and strings. Finds text and thinking as they arrive, calls at the end of the
 * block.
 */
export function tags({ chunks, dialect }: Input): Found {
  const consumer = new Consumer();
  let calls: unknown[] = [];
  let block: string | undefined;
  let args: Record<string, string> | undefined;
  let value: string | undefined;
  const parser = new HtmlParser(
    {
      onopentagname(name) {
        if (block === undefined) {
          if (name === "execute") block = "";
        } else if (args === undefined) args = {};
        else value = "";
      },
      ontext(content) {
        if (block === undefined) consumer.take({ type: "respond", content, timestamp: Date.now() / 1000 });
        else if (dialect === "json") block += content;
        else if (value !== undefined) value += content;
      },
      onclosetag(name) {
        if (block === undefined) return;
        if (name === "execute") {
          if (block.startsWith("\n[")) calls = JSON.parse(block) as unknown[];
          block = undefined;
        } else if (args !== undefined && value !== undefined) {
          args[name] = withoutLayout(value);
          value = undefined;
        } else if (args !== undefined) {
          calls.push({ name, args });
          args = undefined;
        }
      },
    },
    { decodeEntities: false, lowerCaseTags: false, lowerCaseAttributeNames: false },
  );
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  return { calls, consumer, parser };
}

function withoutLayout(value: string): string {
  return value.replace(/^\n/, "").replace(/\n$/, "");
}
