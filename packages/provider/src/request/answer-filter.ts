import type { JsonSchema } from "@cogency/protocol";
import { admitsNull, isSchema, listOf, reached, wrapperOf } from "./schema/parts.ts";

/** Makes an answer to a server's schema an answer to the schema that was asked for. */
export interface AnswerFilter {
  /** The text that is certain after one more piece. Every piece costs its own length. */
  write(piece: string): string;
  /** The text that was still held. */
  end(): string;
}

/**
 * Takes a JSON answer out of the object in which a schema without an object at its root is sent (`wrapperOf`), and takes out
 * each `"key":null` that stands for a key left out: the schema declares the key as optional and does not admit null for it. All
 * else stays as it was written, and so does a text that is not JSON, or that was not wrapped.
 */
export function answerFilter(schema: JsonSchema): AnswerFilter {
  const wrapper = wrapperOf(schema);
  const reader = new Reader(schema);
  if (wrapper === undefined) return reader;
  const opening = new Opening(wrapper);
  return {
    write(piece) {
      const read = opening.read(piece);
      if (read === undefined) return "";
      reader.endsAfterValue ||= opening.takeWrapper();
      return reader.write(read);
    },
    end() {
      return reader.write(opening.end()) + reader.end();
    },
  };
}

/** Reads the beginning of a text until it is known whether the wrapper begins it. */
class Opening {
  #isWrapper = false;
  #held: string | undefined = "";
  readonly #tokens: readonly string[];

  constructor(wrapper: string) {
    this.#tokens = ["{", JSON.stringify(wrapper), ":"];
  }

  /** The text after the wrapper, or all of it if there is none; undefined while that is not known. */
  read(piece: string): string | undefined {
    if (this.#held === undefined) return piece;
    const held = this.#held + piece;
    // Nobody writes so much space, and each piece is read together with those before it.
    if (held.length > longestOpening) return this.#pass(held);
    let at = 0;
    for (const token of this.#tokens) {
      while (isSpace(held[at])) at++;
      const part = held.slice(at, at + token.length);
      if (part.length < token.length && token.startsWith(part)) {
        this.#held = held;
        return undefined;
      }
      if (part !== token) return this.#pass(held);
      at += token.length;
    }
    this.#isWrapper = true;
    return this.#pass(held.slice(at));
  }

  /** Whether the wrapper has begun since this was asked. */
  takeWrapper(): boolean {
    const isWrapper = this.#isWrapper;
    this.#isWrapper = false;
    return isWrapper;
  }

  end(): string {
    const held = this.#held ?? "";
    this.#held = undefined;
    return held;
  }

  #pass(text: string): string {
    this.#held = undefined;
    return text;
  }
}

const longestOpening = 1000;

/** An object or a list that is open. */
interface Open {
  readonly isList: boolean;
  /** Schemas of the container itself. */
  readonly parts: readonly JsonSchema[];
  /** The members or items that were passed on. */
  passed: number;
  /** The items before this one, of a list. */
  index: number;
  /** Schemas of the value that comes next. */
  next: readonly unknown[];
}

/** What the reader waits for. `opaque`: the text is not JSON, or the value is over, and all of it passes. */
type Expects = "value" | "key" | "colon" | "after" | "opaque";

class Reader implements AnswerFilter {
  /** The value is inside the wrapper: what follows it is the wrapper's end. */
  endsAfterValue = false;
  readonly #root: JsonSchema;
  readonly #open: Open[] = [];
  #expects: Expects = "value";
  /** A member whose value has not begun, or may be null: comma, key, colon and the space between them. */
  #member = "";
  /** The key of it, as it is written. */
  #key = "";
  #isDroppable = false;
  /** The end of a string is awaited; it is a key or a value. */
  #inString = false;
  #isEscaped = false;
  /** A number or a word that may go on. */
  #word = "";

  constructor(schema: JsonSchema) {
    this.#root = schema;
  }

  write(piece: string): string {
    let out = "";
    for (let at = 0; at < piece.length; ) {
      if (this.#expects === "opaque") return out + piece.slice(at);
      if (!this.#inString) out += this.#character(piece.charAt(at++));
      else {
        const end = this.#stringEnd(piece, at);
        out += this.#string(piece.slice(at, end));
        at = end;
      }
    }
    return out;
  }

  end(): string {
    const held = this.#member + this.#word;
    this.#member = "";
    this.#word = "";
    this.#expects = "opaque";
    return held;
  }

  /** The position after the part of a string that the piece holds. */
  #stringEnd(piece: string, from: number): number {
    let at = from;
    for (; at < piece.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (piece[at] === "\\") this.#isEscaped = true;
      else if (piece[at] === '"') {
        this.#inString = false;
        return at + 1;
      }
    }
    return at;
  }

  #string(part: string): string {
    if (this.#expects !== "key") {
      if (!this.#inString) this.#expects = "after";
      return part;
    }
    this.#member += part;
    this.#key += part;
    if (!this.#inString) this.#expects = "colon";
    return "";
  }

  #character(character: string): string {
    if (this.#word !== "") {
      if (/[-+.\w]/.test(character)) {
        this.#word += character;
        return "";
      }
      return this.#wordEnds() + this.#character(character);
    }
    if (isSpace(character)) return this.#pass(character);
    const top = this.#open.at(-1);
    switch (this.#expects) {
      case "value":
        if (character === "]" && top?.isList) return this.#close(character);
        return this.#value(character);
      case "key":
        if (character === "}") return this.#close(character);
        if (character !== '"') return this.#giveUp(character);
        this.#inString = true;
        this.#key = character;
        this.#member += character;
        return "";
      case "colon":
        if (character !== ":") return this.#giveUp(character);
        this.#member += character;
        this.#expects = "value";
        this.#meetKey();
        return "";
      default:
        if (character === "," && top) return this.#comma(top);
        return character === "}" || character === "]" ? this.#close(character) : this.#giveUp(character);
    }
  }

  /** Passes space on, or holds it with the member that it belongs to. */
  #pass(space: string): string {
    if (this.#member === "") return this.endsAfterValue && this.#open.length === 0 ? "" : space;
    this.#member += space;
    return "";
  }

  #value(character: string): string {
    if (/[-\w]/.test(character)) {
      this.#word = character;
      return "";
    }
    const member = this.#release();
    const schemas = this.#open.at(-1)?.next ?? [this.#root];
    if (character === "{" || character === "[") {
      const parts = reached(schemas, this.#root);
      const isList = character === "[";
      this.#open.push({ isList, parts, passed: 0, index: 0, next: isList ? itemSchemas(parts, 0) : [] });
      this.#expects = isList ? "value" : "key";
      return member + character;
    }
    if (character === '"') {
      this.#inString = true;
      return member + character;
    }
    return member + this.#giveUp(character);
  }

  /** The member that was held, with its comma if it needs one. */
  #release(): string {
    const top = this.#open.at(-1);
    if (!top || top.isList) return "";
    const member = this.#member;
    this.#member = "";
    this.#isDroppable = false;
    const bare = member.replace(/^\s*,/, "");
    return top.passed++ > 0 ? `,${bare}` : bare;
  }

  #wordEnds(): string {
    const word = this.#word;
    this.#word = "";
    this.#expects = "after";
    if (word !== "null" || !this.#isDroppable) return this.#release() + word;
    this.#member = "";
    this.#isDroppable = false;
    return "";
  }

  #comma(top: Open): string {
    if (top.isList) {
      top.next = itemSchemas(top.parts, ++top.index);
      this.#expects = "value";
      return ",";
    }
    this.#member = ",";
    this.#expects = "key";
    return "";
  }

  #close(character: string): string {
    const top = this.#open.pop();
    if (!top && this.endsAfterValue && character === "}") {
      this.endsAfterValue = false;
      return "";
    }
    if (!top) return this.#giveUp(character);
    this.#expects = "after";
    // Not empty after a comma that ends the object.
    const member = this.#member;
    this.#member = "";
    return member + character;
  }

  #meetKey(): void {
    const top = this.#open.at(-1);
    if (!top) return;
    const key = parsedKey(this.#key);
    const declared = top.parts.filter(({ properties }) => isSchema(properties) && Object.hasOwn(properties, key));
    const schemas = declared.map(({ properties }) => (properties as JsonSchema)[key]);
    const others = top.parts.map(({ additionalProperties }) => additionalProperties).filter(isSchema);
    top.next = declared.length > 0 ? schemas : others;
    this.#isDroppable =
      declared.some(({ required }) => !listOf(required).includes(key)) &&
      !schemas.some((schema) => admitsNull(schema, this.#root));
  }

  #giveUp(character: string): string {
    return this.end() + character;
  }
}

function itemSchemas(parts: readonly JsonSchema[], index: number): unknown[] {
  return parts.flatMap(({ prefixItems, items }) => {
    const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return index < places.length ? [places[index]] : isSchema(items) ? [items] : [];
  });
}

function parsedKey(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}
