import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../../../dev/embedded/ports.js';
import { publicPages, type RenderRequest, shellPaths, type WebBuild, webBuildHeader } from '#libs/contracts';

export interface StandInRenderer {
  readonly url: string;
  /** In the order of the requests. */
  readonly renderedPaths: string[];
  /** In the order of the requests. */
  readonly previewedPaths: string[];
  /** By path. */
  readonly traceparents: Map<string, string | undefined>;
  readonly proxiedRequests: { url: string; headers: IncomingMessage['headers'] }[];
  /** Tests change it, as a deployment does. */
  build: WebBuild;
  /** Render requests wait for this. */
  hold?: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Answers like the web process, with pages that contain data of the render request. Without `port`, it listens on a free port, which no outgoing
 * connection can take while the stand-in is stopped.
 */
export async function standInRenderer(port?: number): Promise<StandInRenderer> {
  const renderedPaths: string[] = [];
  const previewedPaths: string[] = [];
  const traceparents: StandInRenderer['traceparents'] = new Map();
  const proxiedRequests: StandInRenderer['proxiedRequests'] = [];
  const server = createServer((request, response) => {
    if (request.url === '/build') sendBuild(response, standIn.build);
    else if (request.url === '/render') void render(request, response);
    else if (request.url === '/preview') void preview(request, response);
    else {
      proxiedRequests.push({ url: request.url!, headers: request.headers });
      serveNewerFile(request, response);
    }
  });
  const standIn: StandInRenderer = {
    url: '',
    renderedPaths,
    previewedPaths,
    traceparents,
    proxiedRequests,
    build: firstBuild,
    stop: async () => {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  async function render(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, publicUrl, site, subscription: linkData } = await requestOf(request);
    renderedPaths.push(path);
    traceparents.set(path, request.headers.traceparent as string | undefined);
    await standIn.hold;
    const isMissing = path === '/page-not-found' || linkData?.subscription === null;
    const status = isMissing ? 404 : 200;
    const logos = JSON.stringify(site.sections.logo ?? []);
    const [banner] = (site.sections.banner ?? []) as { bannerHeading?: string }[];
    // Makes the page long enough to be compressed.
    const filler = 'All work and no play makes a dull page. '.repeat(60);
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      [webBuildHeader]: standIn.build.version,
    });
    response.end(
      `<!doctype html><title>${path}</title><h1>${banner?.bannerHeading}</h1>` +
        `<p>${publicUrl} version ${site.version} ${logos}</p>${filler}` +
        (linkData ? `<pre>${JSON.stringify({ ...linkData, token: undefined })}</pre>` : ''),
    );
  }
  /** The picture depends on the banner's heading, and its address has the picture's hash. */
  async function preview(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, site } = await requestOf(request);
    previewedPaths.push(path);
    const name = publicPages.find((page) => page.canonical === path)!.name.toLowerCase();
    const [banner] = (site.sections.banner ?? []) as { bannerHeading?: string }[];
    const image = Buffer.from(`picture of ${banner?.bannerHeading}`);
    const hash = createHash('sha256').update(image).digest('hex').slice(0, 16);
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-location': `/previews/${name}-${hash}.png`,
    });
    response.end(image);
  }
  const listenPort = port ?? (await freePort());
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
  return Object.assign(standIn, { url: `http://127.0.0.1:${listenPort}` });
}

async function requestOf(request: IncomingMessage): Promise<RenderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as RenderRequest;
}

const shell = '<!doctype html><title>shell</title>';

const firstBuild: WebBuild = {
  version: 'first',
  files: {
    '/assets/app-1234.js': {
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
      body: Buffer.from('export {};').toString('base64'),
    },
  },
  shells: Object.fromEntries(shellPaths.map((pattern) => [pattern, shell])),
};

function sendBuild(response: ServerResponse, build: WebBuild): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(build));
}

/** Serves one file of a build that no gateway knows yet, with two headers that a gateway must not pass on. */
function serveNewerFile(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url!.split('?')[0]!;
  if (path === '/assets/newer-1234.js') {
    const headers = {
      'content-type': 'text/javascript',
      'cache-control': 'public, max-age=31536000, immutable',
    };
    response.writeHead(200, { ...headers, 'set-cookie': 'web=1', 'x-powered-by': 'web' }).end('export {};');
  } else response.writeHead(404, { 'content-type': 'text/plain' }).end('no such file');
}
