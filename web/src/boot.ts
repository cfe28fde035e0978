/*
 * The page comes painted from the server. The application follows once that is whole, so that on a slow line its scripts do
 * not take the bandwidth that styles, font and picture need; earlier for who wants to do something with it, or has waited.
 */
const patienceMs = 3_000;
const ahead = document.querySelector<HTMLScriptElement>('script[data-ahead]')?.dataset.ahead ?? '';

function start(): void {
  // At once all that the application will ask for one after the other.
  for (const href of ahead.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  void import('./entry-client.js');
}

const asked = new AbortController();
const { signal } = asked;

function startOnce(): void {
  if (signal.aborted) return;
  asked.abort();
  start();
}

if (document.readyState === 'complete') startOnce();
else {
  addEventListener('load', startOnce, { signal });
  for (const type of ['pointerdown', 'pointerover', 'keydown', 'focusin'])
    addEventListener(type, startOnce, { signal });
  setTimeout(startOnce, patienceMs);
}
