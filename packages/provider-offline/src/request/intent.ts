/** One thing that a request asks for. Its kind is the name of the tool that does it. */
export type Intent = ListIntent | ReadIntent | FindIntent | WriteIntent;

export interface ListIntent {
  kind: "list";
  path: string;
  count?: EntryUnit;
}

export interface ReadIntent {
  kind: "read";
  file: string;
  count?: TextUnit;
}

/** `pattern` for names of files, `content` for lines. */
export interface FindIntent {
  kind: "find";
  pattern?: string;
  content?: string;
  path?: string;
  count?: true;
}

interface WriteIntent {
  kind: "write";
  file: string;
  content: string;
}

export type EntryUnit = "files" | "folders" | "entries";
export type TextUnit = "lines" | "words" | "characters";

/** A part of the request that no rule understands. */
export interface Unclear {
  kind: "unclear";
  text: string;
}
