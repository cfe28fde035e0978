import { Inject, Injectable } from '@nestjs/common';
import {
  type RenderRequest,
  type SiteContentSnapshot,
  type NewsletterLinkPageData,
  newsletterLinkPaths,
  webBuildHeader,
} from '#libs/contracts';
import { FairQueue } from '#libs/platform';
import { inSpan } from '#libs/transport';
import { SiteAddress } from '../answers/site-address.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { retryConnection } from './retry-connection.js';

/** Rendering needs the CPU of the web process: more requests at a time would only slow each other down. */
const queueLimits = { concurrency: 16, maxWaitingSize: 256, retryAfterSeconds: 1 };

interface RenderedHtml {
  html: string;
  /** The build of the web process (see `WebBuilds`). */
  build: string;
}

/** Asks the web process for pages and preview images. Rejects with OVERLOADED when too many requests wait. */
@Injectable()
export class Renderer {
  private readonly queue = new FairQueue(queueLimits);

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly siteAddress: SiteAddress,
  ) {}

  /** Rejects unless the web process answers with this status in time. */
  render(path: string, site: SiteContentSnapshot, status: 200 | 404): Promise<RenderedHtml> {
    return this.ask('/render', { path, site }, async (response) => {
      const html = await response.text();
      requireStatus(status, response, path);
      return { html, build: response.headers.get(webBuildHeader) ?? '' };
    });
  }

  /** Rejects as `render` does. */
  renderNewsletterPage(page: NewsletterLinkPageData, site: SiteContentSnapshot): Promise<string> {
    const path = newsletterLinkPaths[page.link];
    return this.ask('/render', { path, site, newsletterPage: page }, async (response) => {
      const html = await response.text();
      requireStatus(page.subscription ? 200 : 404, response, path);
      return html;
    });
  }

  /** Rejects unless the web process has a preview image in time. */
  renderPreview(path: string, site: SiteContentSnapshot): Promise<{ address: string; image: Buffer }> {
    return this.ask('/preview', { path, site }, async (response) => {
      const image = Buffer.from(await response.arrayBuffer());
      requireStatus(200, response, path);
      const address = response.headers.get('content-location');
      if (!address?.startsWith('/previews/'))
        throw new Error(`The renderer answered without an address for the preview of ${path}`);
      return { address, image };
    });
  }

  /** The deadline includes the time in the queue, in which requests for different paths take turns. */
  private ask<T>(
    endpoint: string,
    { path, site, newsletterPage }: RenderInput,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(this.config.WEB_TIMEOUT_MS);
    return this.queue.run(path, () => {
      deadline.throwIfAborted();
      const { version, sections, imageTexts } = site;
      const publicUrl = this.siteAddress.url;
      const body: RenderRequest = {
        path,
        publicUrl,
        site: { version, sections, imageTexts },
        subscription: newsletterPage,
      };
      const span = { kind: 'client', name: `POST ${endpoint}`, attributes: { page: path } } as const;
      return inSpan(span, (traceparent) =>
        retryConnection(async () => {
          const response = await fetch(this.config.WEB_URL + endpoint, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...(traceparent && { traceparent }) },
            body: JSON.stringify(body),
            redirect: 'error',
            signal: deadline,
          });
          return read(response);
        }),
      );
    });
  }
}

interface RenderInput {
  path: string;
  site: SiteContentSnapshot;
  newsletterPage?: NewsletterLinkPageData;
}

function requireStatus(status: number, response: Response, path: string): void {
  if (response.status !== status) throw new Error(`The renderer answered ${response.status} for ${path}`);
}
