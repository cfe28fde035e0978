/* The server has rendered the page. The application is loaded after the first paint and the `load` event: earlier, its scripts would compete with
   styles, font and picture for bandwidth. It is loaded sooner if the person interacts with the page, and after `maxWaitMs` at the latest. This
   file imports nothing: its imports would be fetched before the first paint. */
const maxWaitMs = 3_000;
const [application, ...chunks] =
  document.querySelector<HTMLScriptElement>('script[data-modules]')?.dataset.modules?.split(' ') ?? [];

function start(): void {
  // Fetches the chunks in parallel; the application would import them one after the other.
  for (const href of chunks) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  if (application) void import(/* @vite-ignore */ application);
}

const triggers = new AbortController();
const { signal } = triggers;

function startOnce(): void {
  if (signal.aborted) return;
  triggers.abort();
  start();
}

const loaded = new Promise<void>((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', () => resolve(), { once: true });
});

const painted = new Promise<void>((resolve) => {
  new PerformanceObserver((entries, observer) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    resolve();
  }).observe({ type: 'paint', buffered: true });
});

// Not pointermove: browsers dispatch it when a page appears under a resting pointer.
for (const type of ['pointerdown', 'keydown', 'focusin']) addEventListener(type, startOnce, { signal });
setTimeout(startOnce, maxWaitMs);
// Waits for one more frame, because the last picture is painted in the frame after it has arrived.
void Promise.all([loaded, painted]).then(() => requestAnimationFrame(() => setTimeout(startOnce)));
