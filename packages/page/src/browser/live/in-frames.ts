/**
 * Returns what asks for `draw`: it is called with the next frame of the browser, once for all that ask until then. After one that took
 * long, the next one waits three times as long, so that the page stays free for what a person does.
 */
export function inFrames(draw: () => void): () => void {
  let isDue = false;
  let from = 0;
  const drawNow = () => {
    isDue = false;
    const begun = performance.now();
    draw();
    from = performance.now() + 3 * (performance.now() - begun);
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const wait = from - performance.now();
    if (wait <= 0) requestAnimationFrame(drawNow);
    else setTimeout(() => requestAnimationFrame(drawNow), wait);
  };
}
