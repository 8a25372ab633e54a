import type { Client } from "@cogency/client";
import { createElement, useState } from "react";
import { useConversation } from "../../src/index.ts";

interface SlowPageProps {
  client: Client;
  /** Gets what begins another round. */
  onReady: (begin: (round: number) => void) => void;
}

/** Ten components that take a while to render, and show how many parts there are, in which round. */
export function SlowPage({ client, onReady }: SlowPageProps) {
  const [round, setRound] = useState(0);
  onReady(setRound);
  return Array.from({ length: 10 }, (_, at) => createElement(Count, { client, round, key: at }));
}

function Count({ client, round }: { client: Client; round: number }) {
  const { parts } = useConversation(client, "c");
  const until = performance.now() + 3;
  while (performance.now() < until);
  return createElement("b", null, `${parts.length} in ${round}`);
}
