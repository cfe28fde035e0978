import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type RenderRequest, newsletterLinkPageData, webBuildHeader } from '#libs/contracts';
import type { InSpan } from '#libs/platform';
import type { PageRequest, ServerBundle } from '../src/lib/rendering.js';
import { type Asset, chooseEncoding } from './assets.js';
import { documentOf } from './document.js';
import { type EncodedBuild, encodeBuild } from './encoded-build.js';
import { clientFilesOf, type Manifest } from './manifest.js';
import { type LinkPreview, linkPreviewOf } from './preview/preview.js';
import { LinkPreviews } from './preview/previews.js';

type RequestKind = 'render' | 'preview' | 'build' | 'asset' | 'shell';

export interface RendererOptions {
  pages: ServerBundle;
  drawLinkPreview(preview: LinkPreview): Promise<Buffer>;
  assets: ReadonlyMap<string, Asset>;
  manifest: Manifest;
  publicUrl: string;
  mapEmbedUrl: string | null;
  /** Whether signing in with Google is offered. */
  google: boolean;
  passwordMinLength?: number;
  inSpan?: InSpan;
  /** Called for each answer. The duration is in seconds. */
  onAnswer(kind: RequestKind, status: number, seconds: number): void;
  logger: Logger;
  /** The limit of a render request's body. Default: 32 MiB. */
  maxBodyBytes?: number;
}

const renderRequest: z.ZodType<RenderRequest> = z.object({
  path: z.string().startsWith('/').max(2_000),
  publicUrl: z.url(),
  /** Set for the pages that links in newsletters and confirmation mails lead to. */
  subscription: newsletterLinkPageData.optional(),
  site: z.object({
    version: z.number(),
    sections: z.record(z.string(), z.array(z.unknown())),
    /** Alternative texts by picture id. */
    imageTexts: z.record(z.string(), z.string()).default({}),
  }),
});

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The web process's HTTP server:
 * - `POST /render` with a `RenderRequest`: the page with its content, with status 200 or 404
 * - `POST /preview` with the same body: the picture for links to that page, with its address in
 *   `Content-Location`; 404 if the page has none
 * - `GET /build`: every file and every shell (`WebBuild`), with the version as `ETag`
 * - `GET` of a file of the client build: the file
 * - `GET` of anything else, except below `/assets/`: the shell of the page or screen; 404 if there is none
 * Renders every shell first, because the first renderings take seconds. Rejects if one cannot be rendered. The returned server does not listen yet.
 */
export async function createRenderer(options: RendererOptions): Promise<Server> {
  const previews = new LinkPreviews((preview) => options.drawLinkPreview(preview));
  const build = await encodeBuild(options.assets, (path) =>
    renderDocument(options, shellRequest(options, path)),
  );
  const parts = { options, previews, build };
  const server = createServer((request, response) => {
    runObserved(options, request, response, () => answer(parts, request, response)).catch(
      (error: unknown) => {
        // The caller has given up while it sent the request.
        if (error === request.errored) return;
        const refused = error instanceof Refusal;
        if (!refused) options.logger.error({ err: error, path: request.url }, 'Rendering failed');
        if (response.headersSent) return response.destroy();
        const status = refused ? error.status : 500;
        response.writeHead(status, {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
        });
        response.end(refused ? error.message : 'The page could not be rendered.');
      },
    );
  });
  // Far longer than Node's default of 5 s, so that a connection is rarely closed just as a gateway reuses it.
  server.keepAliveTimeout = 65_000;
  return server;
}

/** A label for metrics and spans. Paths contain ids and would have too many values. */
function kindOf({ assets }: RendererOptions, { url }: IncomingMessage): RequestKind {
  const path = pathOf(url);
  if (path === '/render' || path === '/preview' || path === '/build') return path.slice(1) as RequestKind;
  return assets.has(path) ? 'asset' : 'shell';
}

const pathOf = (url = '/') => url.split('?')[0]!;

/** Reports the answer to `onAnswer`, and records the work as a span in the trace of the gateway's request. */
function runObserved(
  options: RendererOptions,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  const { inSpan, onAnswer } = options;
  const kind = kindOf(options, request);
  const began = performance.now();
  response.once('close', () => {
    // A caller that gave up got no answer, whatever the status says.
    if (response.headersSent) onAnswer(kind, response.statusCode, (performance.now() - began) / 1000);
  });
  // Gateways request the build every second, and would fill the traces.
  if (!inSpan || kind === 'build') return work();
  const { traceparent } = request.headers;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return inSpan({ kind: 'server', name: `${request.method} ${kind}`, parent }, work);
}

interface Parts {
  options: RendererOptions;
  previews: LinkPreviews;
  build: EncodedBuild;
}

async function answer(
  { options, previews, build }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request.url);
  if (request.method === 'POST' && (path === '/render' || path === '/preview')) {
    const page = await readRenderRequest(request, options);
    if (path === '/preview') return sendPreview(options, previews, page, response);
    response.setHeader(webBuildHeader, build.version);
    return sendPage(options, page, request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    throw new Refusal(405, 'Only GET and HEAD are supported.');
  }
  if (path === '/build') return sendBuild(build, request, response);
  const asset = options.assets.get(path);
  if (asset) return sendAsset(asset, request, response);
  if (path.startsWith('/assets/')) throw new Refusal(404, 'There is no such file.');
  await sendPage(options, shellRequest(options, path), request, response);
}

function shellRequest(options: RendererOptions, path: string): PageRequest {
  return { ...settingsOf(options), path, publicUrl: options.publicUrl, content: null };
}

const settingsOf = ({ mapEmbedUrl, google, passwordMinLength }: RendererOptions) => ({
  mapEmbedUrl,
  google,
  ...(passwordMinLength !== undefined && { passwordMinLength }),
});

async function renderDocument({ pages, manifest }: RendererOptions, page: PageRequest) {
  const rendered = await pages.renderPage(page);
  const html = documentOf(rendered, clientFilesOf(manifest, rendered.modules), page.publicUrl);
  return { status: rendered.status, html };
}

async function sendPage(
  options: RendererOptions,
  page: PageRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, html } = await renderDocument(options, page);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-cache',
  });
  response.end(request.method === 'HEAD' ? undefined : html);
}

function sendBuild(
  { version, json }: EncodedBuild,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const etag = `"${version}"`;
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length });
  response.end(request.method === 'HEAD' ? undefined : json);
}

async function sendPreview(
  { pages }: RendererOptions,
  previews: LinkPreviews,
  page: PageRequest,
  response: ServerResponse,
): Promise<void> {
  const preview = linkPreviewOf(pages.describePage(page), page.publicUrl);
  if (!preview) throw new Refusal(404, 'This page has no preview.');
  const image = await previews.getImage(preview);
  response.writeHead(200, {
    'content-type': 'image/png',
    'content-length': image.length,
    'content-location': preview.address,
  });
  response.end(image);
}

function sendAsset(asset: Asset, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('cache-control', asset.cacheControl);
  response.setHeader('etag', asset.etag);
  response.setHeader('vary', 'accept-encoding');
  if (request.headers['if-none-match']?.split(/,\s*/).some((tag) => tag.replace(/^W\//, '') === asset.etag)) {
    response.writeHead(304).end();
    return;
  }
  const encoding = chooseEncoding(request.headers['accept-encoding'], asset);
  const body = asset.bodies[encoding] ?? asset.bodies.identity;
  response.writeHead(200, {
    'content-type': asset.contentType,
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function readRenderRequest(request: IncomingMessage, options: RendererOptions): Promise<PageRequest> {
  const { maxBodyBytes = 32 * 1024 * 1024 } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new Refusal(413, `A render request has at most ${maxBodyBytes} bytes.`);
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body of a render request must be JSON.');
  }
  const parsed = renderRequest.safeParse(body);
  if (!parsed.success) throw new Refusal(400, z.prettifyError(parsed.error));
  const { path, publicUrl, site, subscription } = parsed.data;
  return {
    ...settingsOf(options),
    path,
    publicUrl,
    content: site,
    ...(subscription && { newsletterPage: subscription }),
  };
}
