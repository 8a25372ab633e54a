import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction, constants } from "node:vm";
import type { JsonObject } from "@cogency/protocol";
import type * as XGrammar from "@mlc-ai/web-xgrammar";

const require = createRequire(import.meta.url);

/** The library that vLLM and SGLang bind models with. Its package is CommonJS and says that it is not, so that Node cannot import it. */
function loadXGrammar(): typeof XGrammar {
  const filename = require.resolve("@mlc-ai/web-xgrammar");
  const module = { exports: {} };
  const names = ["module", "exports", "require", "__filename", "__dirname"];
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const run = compileFunction(readFileSync(filename, "utf8"), names, { filename, importModuleDynamically });
  run(module, module.exports, require, filename, dirname(filename));
  return module.exports as typeof XGrammar;
}

const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = loadXGrammar();

/** Whether a text is a whole answer. */
export type Accepts = (text: string) => boolean;

/** Binds a model whose tokens are the bytes, as the law of the format is about texts and not about tokens. */
export class ByteModel {
  readonly #compiler: XGrammar.GrammarCompiler;

  private constructor(compiler: XGrammar.GrammarCompiler) {
    this.#compiler = compiler;
  }

  static async open(): Promise<ByteModel> {
    const bytes = Array.from({ length: end }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    const tokens = await TokenizerInfo.createTokenizerInfo([...bytes, "</s>"], "byte_fallback", false, end + 1, end);
    return new ByteModel(await GrammarCompiler.createGrammarCompiler(tokens, false));
  }

  /** @throws Error for a grammar that it cannot read */
  async boundByGrammar(gbnf: string): Promise<Accepts> {
    return accepting(await this.#compiler.compileGrammar(gbnf, "root"));
  }

  /** @throws Error for a tag that it cannot read */
  async boundByTag(tag: JsonObject): Promise<Accepts> {
    return accepting(await this.#compiler.compileStructuralTag(JSON.stringify(tag)));
  }
}

async function accepting(compiled: XGrammar.CompiledGrammar): Promise<Accepts> {
  const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
  return (text) => {
    matcher.reset();
    return [...new TextEncoder().encode(text), end].every((token) => matcher.acceptToken(token));
  };
}

/** The token with which an answer ends, after those of the bytes. */
const end = 256;
