import type { ServerResponse } from 'node:http';
import { notIndexed, type SecurityHeaders } from './security-headers.js';

/** For a browser that submits a form itself because JavaScript is off: the API refuses the form's content type (415), and pages refuse POST (405). */
const withoutJavaScript = {
  title: 'This form needs JavaScript',
  text: 'Nothing was sent. Go back, turn on JavaScript and send the form again, or write to the e-mail address at the bottom of that page.',
};

const words: Record<number, { title: string; text: string }> = {
  405: withoutJavaScript,
  415: withoutJavaScript,
  404: {
    title: 'Page not found',
    text: 'There’s no page at this address. Check the address for typing mistakes.',
  },
  502: { title: 'This page isn’t available right now', text: 'Please try again in a moment.' },
  503: { title: 'The site isn’t ready right now', text: 'Please try again in a few seconds.' },
};

export type PlainStatus = 404 | 502 | 503;

const retryAfterSeconds = 5;

/** Works without the web process: the page uses the style sheet of the API reference, which the gateway serves itself. */
export function sendPlainPage(
  status: PlainStatus,
  { response, headers, withBody }: { response: ServerResponse; headers: SecurityHeaders; withBody: boolean },
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const html = plainPage(status);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    ...(status === 404 ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...notIndexed,
    ...headers.page,
  });
  response.end(withBody ? html : undefined);
}

/** Contains nothing from the request. */
export function plainPage(status: PlainStatus | 405 | 415): string {
  const { title, text } = words[status]!;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><main><h1>${title}</h1><p>${text}</p><p><a href="/">Go to the home page</a></p></main></body>
</html>
`;
}
