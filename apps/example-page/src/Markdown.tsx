import { memo, useLayoutEffect, useRef } from "react";
import * as smd from "streaming-markdown";

interface MarkdownProps {
  text: string;
  isOpen: boolean;
}

/** A text in Markdown. While it grows, only what is new is read. */
export const Markdown = memo(function Markdown({ text, isOpen }: MarkdownProps) {
  const root = useRef<HTMLDivElement>(null);
  const writing = useRef<{ parser: smd.Parser; text: string }>(undefined);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    let written = writing.current;
    if (!written || !text.startsWith(written.text)) {
      element.replaceChildren();
      written = { parser: smd.parser(rendererOf(element)), text: "" };
    }
    smd.parser_write(written.parser, text.slice(written.text.length));
    writing.current = isOpen ? { parser: written.parser, text } : undefined;
    if (!isOpen) smd.parser_end(written.parser);
  }, [text, isOpen]);

  return <div className="markdown" ref={root} />;
});

/** Text stays text, HTML included. Links lead to other sites and nowhere else, and no picture is fetched. */
function rendererOf(element: HTMLElement): smd.Default_Renderer {
  const renderer = smd.default_renderer(element);
  const current = ({ nodes, index }: smd.Default_Renderer_Data) => nodes[index] as HTMLElement;
  return {
    ...renderer,
    add_token(data, token) {
      // The page has a title, and each message of the person a heading.
      const level = headings.indexOf(token);
      const lower = headings[Math.min(level + 2, 5)];
      renderer.add_token(data, token === smd.IMAGE ? smd.LINK : level >= 0 && lower ? lower : token);
      if (token === smd.CHECKBOX) current(data).setAttribute("aria-label", "done");
    },
    add_text(data, text) {
      const last = current(data).lastChild;
      if (last instanceof Text) last.appendData(text);
      else renderer.add_text(data, text);
    },
    set_attr(data, attribute, value) {
      const isLink = attribute === smd.HREF || attribute === smd.SRC;
      if (!isLink) return renderer.set_attr(data, attribute, value);
      if (!/^(https?|mailto):/i.test(value)) return;
      renderer.set_attr(data, smd.HREF, value);
      current(data).setAttribute("rel", "noreferrer");
      current(data).setAttribute("target", "_blank");
    },
  };
}

const headings: smd.Token[] = [
  smd.HEADING_1,
  smd.HEADING_2,
  smd.HEADING_3,
  smd.HEADING_4,
  smd.HEADING_5,
  smd.HEADING_6,
];
