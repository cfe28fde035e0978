/*
 * The page comes painted from the server. The application follows after that first paint, so that on a slow line its
 * scripts do not take the bandwidth that styles, font and picture need.
 */
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

// A frame is painted before the next task.
requestAnimationFrame(() => setTimeout(start));
