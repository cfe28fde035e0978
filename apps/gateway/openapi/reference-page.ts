import { escapeMarkup } from '#libs/contracts';
import { type ProblemCode, problemCodes, sentenceOf, statusOf } from '../problem/problem.js';

/**
 * Scalar, a viewer of OpenAPI documents, fills `#reference` from `/openapi.json`. Each error's `type` is `/docs#<CODE>`, so every code has an element
 * with that id, which is visible only as the target of such a link.
 */
export function referencePage(title: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" content="${nonce}">
<title>API reference: ${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/start.js" defer></script>
<script src="/docs/reference.js" defer></script>
</head>
<body class="reference">
<header><a href="/">Home page</a><a href="/openapi.json">OpenAPI document</a></header>
<section aria-label="Error">
${problemCodes.map(errorEntry).join('\n')}
</section>
<noscript><p>The API reference needs JavaScript. The same information is in the <a href="/openapi.json">OpenAPI document</a>, which most API clients can import.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;
}

function errorEntry(code: ProblemCode): string {
  return `<p id="${code}"><code>${code}</code>, status ${statusOf(code)}: ${escapeMarkup(sentenceOf(code))}</p>`;
}

/** Starts Scalar, which must not request anything from other servers. */
export const startScript = `// Some of Scalar's style elements come without the nonce of this page.
const { content: nonce } = document.querySelector('meta[property="csp-nonce"]');
const { createElement } = Document.prototype;
Document.prototype.createElement = function (...args) {
  const element = createElement.apply(this, args);
  if (element.localName === 'style') element.nonce = nonce;
  return element;
};

// Without a token, Scalar sends an empty one, and a token that is sent takes precedence over the browser's session.
async function send(input, init) {
  const request = new Request(input, init);
  if (request.headers.get('Authorization')?.trim() === 'Bearer') request.headers.delete('Authorization');
  return fetch(request);
}

addEventListener('DOMContentLoaded', () =>
  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    // Requests go to the address in the address bar, where the reader may be signed in.
    servers: [{ url: location.origin }],
    fetch: send,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  }),
);
`;

/** For the reference and for the gateway's plain pages. */
export const referenceStyle = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
code { font: .9em ui-monospace, monospace; }
a:focus-visible { outline: 2px solid; outline-offset: 2px; }
body.reference { --scalar-custom-header-height: 3rem; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; max-width: none; padding: 0; }
.reference > header { align-items: center; background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText); box-sizing: border-box; display: flex; gap: 1.5rem; height: 3rem; padding: 0 1.5rem; position: sticky; top: 0; z-index: 10; }
.reference > header a { color: var(--scalar-color-1, CanvasText); }
.reference > noscript p, .reference > section p { margin: 1.5rem; }
.reference > section p:not(:target) { display: none; }
`;
