import { Inject, Injectable } from '@nestjs/common';
import type { RenderRequest, SiteContentSnapshot } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

/** Asks the web process for the HTML of a page. */
@Injectable()
export class Renderer {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly address: SiteAddress,
  ) {}

  /** Rejects unless the renderer answers with this status in time. */
  async render(path: string, site: SiteContentSnapshot, status: 200 | 404): Promise<string> {
    const request: RenderRequest = { path, publicUrl: this.address.url, site };
    const response = await fetch(`${this.config.WEB_URL}/render`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/html' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.timeout(this.config.WEB_TIMEOUT_MS),
    });
    const html = await response.text();
    if (response.status !== status) throw new Error(`The renderer answered ${response.status} for ${path}`);
    return html;
  }
}
