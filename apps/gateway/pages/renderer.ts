import { Inject, Injectable } from '@nestjs/common';
import {
  type RenderRequest,
  type SiteContentSnapshot,
  type SubscriptionPage,
  subscriptionPaths,
} from '#libs/contracts';
import { inSpan } from '#libs/transport';
import { SiteAddress } from '../answers/site-address.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { askAgain } from './ask-again.js';

/** Asks the web process for the HTML of a page, and for its picture. */
@Injectable()
export class Renderer {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly address: SiteAddress,
  ) {}

  /** Rejects unless the renderer answers with this status in time. */
  async render(path: string, site: SiteContentSnapshot, status: 200 | 404): Promise<string> {
    const response = await this.ask('/render', path, site);
    const html = await response.text();
    if (response.status !== status) throw new Error(`The renderer answered ${response.status} for ${path}`);
    return html;
  }

  /** The page behind a link of a newsletter. Rejects as `render` does. */
  async renderSubscription(subscription: SubscriptionPage, site: SiteContentSnapshot): Promise<string> {
    const path = subscriptionPaths[subscription.link];
    const response = await this.ask('/render', path, site, subscription);
    if (response.status !== (subscription.subscription ? 200 : 404))
      throw new Error(`The renderer answered ${response.status} for ${path}`);
    return response.text();
  }

  /** The picture for links to a public page, and where it is. Rejects unless the renderer has one in time. */
  async preview(path: string, site: SiteContentSnapshot): Promise<{ address: string; image: Buffer }> {
    const response = await this.ask('/preview', path, site);
    const image = Buffer.from(await response.arrayBuffer());
    const address = response.headers.get('content-location');
    if (response.status !== 200 || !address?.startsWith('/previews/'))
      throw new Error(`The renderer answered ${response.status} for the preview of ${path}`);
    return { address, image };
  }

  private ask(
    call: string,
    path: string,
    { version, sections, imageTexts }: SiteContentSnapshot,
    subscription?: SubscriptionPage,
  ): Promise<Response> {
    const site = { version, sections, imageTexts };
    const deadline = AbortSignal.timeout(this.config.WEB_TIMEOUT_MS);
    const request: RenderRequest = { path, publicUrl: this.address.url, site, subscription };
    return inSpan({ kind: 'client', name: `POST ${call}`, attributes: { page: path } }, (traceparent) =>
      askAgain(() =>
        fetch(this.config.WEB_URL + call, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...(traceparent && { traceparent }) },
          body: JSON.stringify(request),
          redirect: 'error',
          signal: deadline,
        }),
      ),
    );
  }
}
