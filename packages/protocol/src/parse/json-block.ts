import { isSpace, skipSpace } from "../text/characters.ts";
import { compactJson, decodeString, findQuote, stringFault } from "../text/json-strings.ts";
import { EXECUTE_CLOSE } from "../text/markers.ts";
import { Block, type BlockListener, type Fault } from "./block.ts";
import { CallBuffer } from "./call-buffer.ts";
import { ARGS, callDepth, callKeys, maxDepth, NAME, valueBeginnings } from "./call-shape.ts";
import { numberFault } from "./json-number.ts";

/** The JSON text of a value without layout, or why a text is refused. */
export type ReadJson = { json: string; fault?: never } | { fault: Fault; json?: never };

/** The characters that begin a value. */
const aValue = '"{[tfn-0123456789';

/** Match the beginning of a code fence and of a trailing token. Longer ones are refused. */
const fenceBeginning = /^(`{1,99}|`{3,99}[^`\n\r]{1,99})$/;
const tokenBeginning = /^[^\t\n\r <>|]{1,99}\|?$/;

/** Reads one character; `index` is already behind it. Returns false if no valid block can continue with it. */
type Reader = (this: JsonBlock, character: string) => boolean;

/**
 * A block of the JSON dialect (protocol.md P6, P7, P15). Structure is checked at every character; strings are passed from
 * quote to quote, and checked when their call closes. With `repair`, a block that one of the lossless repairs of
 * protocol.md §2 makes valid is read too.
 */
export class JsonBlock extends Block {
  readonly #repair: boolean;
  #reader: Reader = this.#readStructure;
  /** The characters that may come next in the structure, white space aside. */
  #allowed: string;
  /** The last character of the structure, white space aside. */
  #last = "";

  /** The open containers, the outermost first: the keys of an object so far, undefined for an array. */
  #containers: (Set<string> | undefined)[] = [];
  /** The text of the open call up to `copied`. */
  readonly #call = new CallBuffer();
  /** Whether JSON.stringify would write the call like this, its strings aside. */
  #isPlain = true;
  /** The field of the call that comes next or is being read, `NAME` or `ARGS`; -1 for another key. */
  #field = -1;
  /** The offset in the call at which the value of the field begins. */
  #start = 0;
  /** The offsets in the call at which the value of each field begins and ends. */
  #spans: [number, number][] = [];
  /** The arguments, where a string held them and repair took them out. */
  #unwrapped: string | undefined;
  /** The name of the call, as the model wrote it. */
  #name: string | undefined;
  /**
   * The index in `text` at which the arguments begin that the listener has not received yet; -1 outside of arguments.
   */
  #deltaStart = -1;

  /** The raw text so far of a key, number, fence or token; of a literal, the text that must still come. */
  #token = "";
  #isEscaping = false;
  /** Whether a single call stands in place of the array (repair). */
  #isSingle = false;
  /** The number of backticks of the code fence around the array (repair); 0 without one. */
  #fence = 0;
  /** Whether a value is read alone, without the call and the block around it. */
  #isAlone = false;

  constructor(listener: BlockListener, repair = false) {
    super(listener);
    this.#repair = repair;
    this.#allowed = repair ? "[{`" : "[";
  }

  /**
   * Reads JSON text that stands alone by the rules of the value of `args`, with the same faults in the same words.
   *
   * @param begin the characters that the value may begin with
   */
  static readAlone(text: string, begin = aValue, repair = false): ReadJson {
    const block = new JsonBlock({ onCall() {} }, repair);
    block.#containers = [undefined, new Set(["args"])];
    block.#field = ARGS;
    block.#last = ":";
    block.#isAlone = true;
    block.#expect(begin);
    block.openCall(0);
    block.read(text, 0, 0);
    // A number ends only where something follows it.
    if (block.#reader === block.#readNumber && !block.fault) block.read(" ", 0, text.length);
    return block.#endAlone(text.length);
  }

  override readInsideString(chunk: string, base: number): boolean {
    if (this.#reader !== this.#readString || this.listener.onDelta || base + chunk.length > this.limit) return false;
    const quote = findQuote(chunk, 0, this.#isEscaping);
    if (quote >= 0) return false;
    this.#isEscaping = quote === -2;
    this.#call.add(chunk);
    return true;
  }

  override end(): void {
    if (this.#isInCall()) this.#checkStrings();
    if (this.#reader === this.#readNumber) this.#checkNumber(false);
  }

  override lacksOnlyCloser(): boolean {
    if (this.#reader === this.#readFenceCloser) return this.#token.length >= this.#fence;
    return this.#reader === this.#readLiteral ? !this.#isInCall() : this.#allowed === "<";
  }

  protected override readCharacter(character: string): void {
    this.index++;
    if (this.#reader(character)) return;
    this.index--;
    const hint = this.#last === '"' ? ' (write \\" in strings)' : "";
    this.#refuseNext(hint);
  }

  #refuseNext(hint = ""): void {
    const isLiteral = this.#reader === this.#readLiteral;
    const isStructure = this.#reader === this.#readStructure;
    const structure = isStructure ? this.#allowed.replace(aValue, "a value ").trimEnd() || "the end" : "what it began";
    const wanted = isLiteral ? this.#token : structure;
    this.refuseNext(wanted + hint, this.#isInCall() ? this.#callText() : "");
  }

  #endAlone(length: number): ReadJson {
    const isWhole = this.#reader === this.#readStructure && this.#allowed === "";
    const text = this.#callText();
    const isStandard = this.#call.hasStandardStrings("");
    if (!this.fault && (isStandard || this.#checkStrings()) && !isWhole) this.#refuseNext();
    if (this.fault) {
      const { message, position } = this.fault;
      return { fault: { message: message.toWellFormed(), position: Math.min(position, length) } };
    }
    return { json: isStandard && !this.isRepaired ? text : compactJson(text) };
  }

  protected override keep(): void {
    this.#emitDelta();
    if (this.#deltaStart >= 0) this.#deltaStart = 0;
    if (this.#isInCall()) this.#call.add(this.text.slice(this.copied, this.index));
  }

  #isInCall(): boolean {
    return this.#containers.length >= callDepth;
  }

  /** Reads a character outside of strings, numbers and literals. */
  #readStructure(character: string): boolean {
    if (isSpace(character.charCodeAt(0))) return this.#skipSpace();
    if (!this.#allowed.includes(character)) return false;
    const last = this.#last;
    const keys = this.#containers.at(-1);
    const depth = this.#containers.length;
    this.#last = character;
    if (last === ":" && depth === callDepth) this.#beginField();
    switch (character) {
      case '"':
        return this.#begin(keys && last !== ":" ? this.#readKey : this.#readString);
      case ":":
        return this.#expectValue();
      case ",": {
        const next = keys ? '"' : depth < callDepth ? "{" : aValue;
        return this.#expect(this.#repair ? next + (keys ? "}" : "]") : next);
      }
      case "[":
        return this.#open(undefined, depth === 0 ? "{]" : `${aValue}]`);
      case "{":
        return depth < callDepth ? this.#openCall() : this.#open(new Set(), '"}');
      case "]":
      case "}":
        if (last === ",") this.#repairCall();
        return this.#close();
      case "t":
      case "f":
      case "n":
      case "<":
        return this.#begin(this.#readLiteral, literals[character] as string);
      case "`":
        this.isRepaired = true;
        return this.#begin(this.#fence > 0 ? this.#readFenceCloser : this.#readFence, "`");
    }
    return this.#begin(this.#readNumber, character);
  }

  #skipSpace(): true {
    const start = this.index - 1;
    this.index = skipSpace(this.text, start);
    if (!this.#isInCall()) return true;
    this.#call.add(this.text.slice(this.copied, start));
    this.copied = this.index;
    return true;
  }

  /** Goes on with another reader. */
  #begin(reader: Reader, token = ""): true {
    this.#reader = reader;
    this.#token = token;
    return true;
  }

  /** Goes on with the structure; one of these characters may come next. */
  #expect(allowed: string): true {
    this.#allowed = allowed;
    return this.#begin(this.#readStructure);
  }

  #expectCloser(): true {
    return this.#expect(this.#fence > 0 ? "`" : "<");
  }

  #expectValue(): true {
    if (this.#containers.length !== callDepth) return this.#expect(aValue);
    const begin = valueBeginnings[this.#field] ?? aValue;
    return this.#expect(this.#repair && this.#field === ARGS ? `${begin}"` : begin);
  }

  #beginField(): void {
    this.#start = this.#callOffset() - 1;
    if (this.#field === ARGS) this.#deltaStart = this.index - 1;
  }

  #openCall(): boolean {
    // Repair: a single call in place of the array.
    if (this.#containers.length === 0) {
      this.#isSingle = this.isRepaired = true;
      this.#containers.push(undefined);
    }
    this.copied = this.index - 1;
    this.openCall(this.copied);
    this.#call.clear();
    this.#isPlain = true;
    this.#unwrapped = this.#name = undefined;
    return this.#open(new Set(), '"}');
  }

  #open(keys: Set<string> | undefined, allowed: string): boolean {
    const depth = this.#containers.push(keys);
    if (depth > maxDepth) return this.refuse(`deeper than ${maxDepth} levels`);
    return this.#expect(allowed);
  }

  #close(): boolean {
    if (this.#containers.length === callDepth && !this.#closeCall()) return false;
    this.#containers.pop();
    if (this.#isSingle && !this.#isInCall()) this.#containers.pop();
    return this.#containers.length === 0 ? this.#expectCloser() : this.#endValue();
  }

  #readKey(): boolean {
    const start = this.index - 1;
    const isEnded = this.#toQuote();
    this.#token += this.text.slice(start, this.index - (isEnded ? 1 : 0));
    return !isEnded || this.#endKey();
  }

  #readString(): boolean {
    return !this.#toQuote() || this.#endValue();
  }

  /** Goes on behind the quote that ends the open string; returns false if it is not in this text. */
  #toQuote(): boolean {
    const quote = findQuote(this.text, this.index - 1, this.#isEscaping);
    this.#isEscaping = quote === -2;
    this.index = quote < 0 ? this.text.length : quote + 1;
    return quote >= 0;
  }

  #endKey(): boolean {
    const quoted = `"${this.#token}"`;
    const keys = this.#containers.at(-1) as Set<string>;
    // A key with a faulty escape is refused when its call closes.
    const key = stringFault(quoted, true) < 0 ? decodeString(quoted).toWellFormed() : this.#token;
    if (key === "__proto__" || keys.has(key)) {
      return this.refuse(`the key ${JSON.stringify(key.slice(0, 40))} is given twice or not allowed`);
    }
    keys.add(key);
    if (this.#containers.length === callDepth) {
      this.#field = callKeys.indexOf(key);
      if (this.#field !== keys.size - 1) this.#isPlain = false;
    }
    return this.#expect(":");
  }

  #readNumber(character: string): boolean {
    if (/[-+.\deE]/.test(character)) {
      this.#token += character;
      return true;
    }
    this.#checkNumber(true);
    this.index--;
    return this.#endValue();
  }

  #checkNumber(isEnded: boolean): void {
    const at = numberFault(this.#token, isEnded);
    const start = this.base + this.index - this.#token.length - (isEnded ? 1 : 0);
    if (at >= 0) this.refuse("not a number that can be kept; write it as a string", start + at);
  }

  #readLiteral(character: string): boolean {
    if (character === "|" && this.#repair && this.#token === literals["<"]) {
      // A token that is cut off is not a part of the closer.
      return this.#expect("") && this.#begin(this.#readToken);
    }
    if (this.#token.charAt(0) !== character) return false;
    this.#token = this.#token.slice(1);
    if (this.#token !== "") return true;
    this.isClosed = this.#containers.length === 0;
    return this.#endValue();
  }

  #endValue(): boolean {
    if (this.#isAlone && this.#containers.length === callDepth) return this.#expect("");
    this.#expect(this.#containers.at(-1) ? ",}" : ",]");
    if (this.#containers.length !== callDepth || this.#field < 0) return true;
    this.#spans[this.#field] = [this.#start, this.#callOffset()];
    if (this.#field === NAME) {
      this.#name = this.#callText().slice(this.#start + 1, -1);
      return true;
    }
    this.#emitDelta();
    this.#deltaStart = -1;
    return !(this.#repair && this.#last === '"') || this.#unwrap();
  }

  #closeCall(): boolean {
    const keys = this.#containers.at(-1) as Set<string>;
    const hint = keys.has("arguments") ? ' (did you mean "args" by "arguments"?)' : "";
    for (const field of callKeys) if (!keys.has(field)) return this.refuse(`a call has no "${field}"${hint}`);
    const raw = this.#callText();
    if (!this.#call.hasStandardStrings(this.text.slice(this.copied, this.index))) {
      if (!this.#checkStrings()) return false;
      this.#isPlain = false;
      this.isRepaired ||= stringFault(raw) >= 0;
    }
    const value = (field: number) => compactJson(raw.slice(...(this.#spans[field] as [number, number])));
    return this.announce(this.#isPlain ? raw : `{"name":${value(NAME)},"args":${this.#unwrapped ?? value(ARGS)}}`);
  }

  #emitDelta(): void {
    if (this.#deltaStart < 0 || this.#deltaStart === this.index) return;
    this.listener.onDelta?.(this.text.slice(this.#deltaStart, this.index), this.#name);
  }

  #callText(): string {
    return this.#call + this.text.slice(this.copied, this.index);
  }

  /** The offset in the call of the next character. */
  #callOffset(): number {
    return this.#call.length + this.index - this.copied;
  }

  /** Notes that the call is not written as it should be. */
  #repairCall(): void {
    this.isRepaired = true;
    this.#isPlain = false;
  }

  /** Reads the line that opens a code fence. */
  #readFence(character: string): boolean {
    if (this.#token.startsWith("```") && "\n\r".includes(character)) {
      this.#fence = this.#token.lastIndexOf("`") + 1;
      return this.#expect("[{");
    }
    this.#token += character;
    return fenceBeginning.test(this.#token);
  }

  #readFenceCloser(character: string): boolean {
    if (character === "`") {
      this.#token += character;
      return true;
    }
    if (this.#token.length < this.#fence) return false;
    this.#fence = 0;
    this.index--;
    return this.#expectCloser();
  }

  /** Reads a trailing token such as `<|end|>`, after its `<|`. */
  #readToken(character: string): boolean {
    this.isRepaired = true;
    if (character === ">" && this.#token.endsWith("|")) return this.#expectCloser();
    this.#token += character;
    return tokenBeginning.test(this.#token);
  }

  /** Repair: `args` was a string, which must hold the object. */
  #unwrap(): boolean {
    const quoted = this.#callText().slice(this.#start);
    const isDecodable = stringFault(quoted, true) < 0;
    const { json } = isDecodable ? JsonBlock.readAlone(decodeString(quoted), "{", true) : {};
    if (json === undefined) return this.refuse('"args" holds no object');
    this.#unwrapped = json;
    this.#repairCall();
    return true;
  }

  /** Whether the strings of the call are valid so far; if not, sets the fault. */
  #checkStrings(): boolean {
    const raw = this.#callText();
    const at = stringFault(raw, this.#repair);
    if (at < 0) return true;
    const before = raw.slice(0, at);
    // What follows the backslash where the character is escaped.
    const letter = JSON.stringify(raw.charAt(at)).slice(2, -1);
    const kind = letter === "\\" ? "backslash" : "nr".includes(letter) ? "line break" : "character";
    const name = this.#name && `of ${this.#name.slice(0, 40)}`;
    const where = ["the string", lastKey.exec(before)?.[1], name].filter(Boolean).join(" ");
    return this.refuse(`a raw ${kind} in ${where} after ${before.slice(-24)}; write a backslash and ${letter}`);
  }
}

/** Matches up to the last key, in JSON text without layout. */
const lastKey = /.*[{,]("[^"\\]{0,40}"):/s;

/** The rest of each literal, by its first character. The block's closer is one of them. */
const literals: { [first: string]: string } = { t: "rue", f: "alse", n: "ull", "<": EXECUTE_CLOSE.slice(1) };
