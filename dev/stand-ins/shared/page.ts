import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type Html } from './html.js';

export interface PageFrame {
  /** Of the stand-in, in the titles of its windows. */
  name: string;
  /** Its own styles, read after those that all have (base.css). */
  stylesheet: `/${string}.css`;
  /** What nobody may overlook: that this is not the real thing. */
  banner: Html;
}

/** A whole page; `wide`, for tables. */
export type Page = (title: string, body: Html, options?: { wide?: boolean }) => string;

/** How a stand-in draws its pages. */
export function pagesIn({ name, stylesheet, banner }: PageFrame): Page {
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

/** Serves the styles that the pages name: those that all stand-ins have, and the stand-in's own. */
export async function serveStyles(
  app: FastifyInstance,
  name: PageFrame['stylesheet'],
  own: URL,
): Promise<void> {
  const sheets = { '/base.css': new URL('./base.css', import.meta.url), [name]: own };
  for (const [path, file] of Object.entries(sheets)) {
    const text = await readFile(file);
    app.get(path, (_request, reply) => reply.type('text/css; charset=utf-8').send(text));
  }
}

/** For pages whose forms lead nowhere else. */
export const ownForms = "form-action 'self'";

/** Sends a page that may load its styles and nothing else, but for what the `directives` of CSP permit. */
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
