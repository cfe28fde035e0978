/*
 * The page comes painted from the server. The application follows once that is on the screen, so that on a slow line its
 * scripts do not take the bandwidth that styles, font and picture need; earlier for who wants to do something with it, or
 * has waited. This file imports nothing: whatever it did import would be fetched before the first paint.
 */
const patienceMs = 3_000;
const [application, ...ahead] =
  document.querySelector<HTMLScriptElement>('script[data-application]')?.dataset.application?.split(' ') ??
  [];

function start(): void {
  // At once all that the application will ask for one after the other.
  for (const href of ahead) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  if (application) void import(/* @vite-ignore */ application);
}

const asked = new AbortController();
const { signal } = asked;

function startOnce(): void {
  if (signal.aborted) return;
  asked.abort();
  start();
}

const whole = new Promise<void>((resolve) => {
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

// No movement of the pointer: a page that appears under a resting mouse is told of one.
for (const type of ['pointerdown', 'keydown', 'focusin']) addEventListener(type, startOnce, { signal });
setTimeout(startOnce, patienceMs);
// The last picture to arrive is painted with the next frame.
void Promise.all([whole, painted]).then(() => requestAnimationFrame(() => setTimeout(startOnce)));
