/** The format of a page. */
export type PageType = "html" | "plain" | "markdown" | "json" | "xml";

export interface ContentType {
  /** Absent if the content is not text. */
  type: PageType | undefined;
  /** The media type alone, lower case; `""` if the server named none. */
  mediaType: string;
  charset: string | undefined;
}

export function parseContentType(header: string | undefined): ContentType {
  const [mediaType = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset\s*=/i.test(parameter));
  return {
    type: pageType(mediaType.toLowerCase()),
    mediaType: mediaType.toLowerCase(),
    charset: charset?.slice(charset.indexOf("=") + 1).replace(/["'\s]/g, ""),
  };
}

function pageType(mediaType: string): PageType | undefined {
  switch (mediaType) {
    case "text/html":
    case "application/xhtml+xml":
      return "html";
    case "text/plain":
      return "plain";
    case "text/markdown":
    case "text/x-markdown":
      return "markdown";
    case "text/xml":
    case "application/xml":
      return "xml";
    case "application/json":
    case "text/json":
      return "json";
  }
  if (/^application\/[\w.-]+\+json$/.test(mediaType)) return "json";
  if (/^application\/[\w.-]+\+xml$/.test(mediaType)) return "xml";
  return undefined;
}
