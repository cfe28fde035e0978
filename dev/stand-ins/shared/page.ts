import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from './html.js';

export interface PageFrame {
  name: string;
  /** The stand-in's own, loaded after base.css. */
  stylesheet: `/${string}.css`;
  /** Says that this is a simulation. */
  banner: Html;
}

/** `wide` is for tables. */
export type PageRenderer = (title: string, body: Html, options?: { wide?: boolean }) => string;

export function createPageRenderer({ name, stylesheet, banner }: PageFrame): PageRenderer {
  return (title, body, { wide = false } = {}) =>
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} – ${name}</title>
          <link rel="stylesheet" href="/base.css" />
          <link rel="stylesheet" href="${stylesheet}" />
          <link rel="icon" href="data:," />
        </head>
        <body>
          <header class="banner"><p>${banner}</p></header>
          <main class="${wide && 'wide'}">${body}</main>
        </body>
      </html> `.text;
}

export async function serveStyles(
  app: FastifyInstance,
  ownPath: PageFrame['stylesheet'],
  ownFile: URL,
): Promise<void> {
  const sheets = { '/base.css': new URL('./base.css', import.meta.url), [ownPath]: ownFile };
  for (const [path, file] of Object.entries(sheets)) {
    const text = await readFile(file);
    app.get(path, (_request, reply) => reply.type('text/css; charset=utf-8').send(text));
  }
}

/** The CSP directive for pages whose forms are submitted only to the stand-in itself. */
export const formActionSelf = "form-action 'self'";

/** Like `formActionSelf`, but also allows `returnUrl`: browsers apply the directive to redirects after a form, too. */
export const formActionSelfAnd = (returnUrl: string | null | undefined) =>
  returnUrl ? `${formActionSelf} ${new URL(returnUrl).origin}` : formActionSelf;

/** The page's CSP lets it load only its style sheets and `data:` images. `directives` are added to the CSP. */
export function sendPage(reply: FastifyReply, page: string, ...directives: string[]): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', [...policy, ...directives].join('; '))
    .send(page);
}
