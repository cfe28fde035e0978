import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import type { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { ContentCache } from '../content/content-cache.js';
import { ImageFiles } from '../images/image-files.js';
import type { GatewayRequest } from '../routing/gateway-request.js';
import type { PageTarget } from '../routing/page-table.js';
import { SiteFiles } from '../site-files/site-files.js';
import { type PlainStatus, sendPlainPage } from '../answers/plain-page.js';
import { PreviewImages } from './preview-images.js';
import { isOpenScreen, RenderedPages } from './rendered-pages.js';
import { WebBuilds } from './web-builds.js';
import { WebProxy } from './web-proxy.js';

@Injectable()
export class Pages {
  constructor(
    private readonly rendered: RenderedPages,
    private readonly files: SiteFiles,
    private readonly previews: PreviewImages,
    private readonly images: ImageFiles,
    private readonly builds: WebBuilds,
    private readonly proxy: WebProxy,
    private readonly content: ContentCache,
    private readonly sender: StoredAnswerSender,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A page, file of the build or uploaded picture at exactly this URL, if it is in memory. */
  findInMemory(url: string): StoredAnswer | undefined {
    return this.rendered.findInMemory(url) ?? this.builds.findInMemory(url) ?? this.images.findInMemory(url);
  }

  serve(target: PageTarget, request: GatewayRequest, reply: FastifyReply): void {
    this.respond(request, reply, () => {
      const answer =
        target.kind === 'public' ? this.rendered.getPage(target.page.path) : this.getScreen(target.pattern);
      return this.sendWhenReady(answer, request, reply, 502);
    });
  }

  serveNotFound(request: GatewayRequest, reply: FastifyReply): void {
    this.respond(request, reply, () => this.sendNotFound(request, reply));
  }

  serveFile(path: string, request: GatewayRequest, reply: FastifyReply): void {
    this.respond(request, reply, async () => {
      const ownFile = this.files.at(path) ?? this.previews.at(path) ?? this.images.at(path);
      if (ownFile) await this.sendWhenReady(ownFile, request, reply, 502);
      else if (path.startsWith('/images/')) this.sendPlain(404, request, reply);
      else await this.sendWebFile(path, request, reply);
    });
  }

  /** A screen that is open to everyone is rendered if possible, so that the site's name and logo show immediately. */
  private getScreen(pattern: string): Promise<StoredAnswer> {
    const getShell = () => this.builds.getShell(pattern);
    return isOpenScreen(pattern) ? this.rendered.getScreen(pattern).catch(getShell) : getShell();
  }

  private async sendWebFile(path: string, request: GatewayRequest, reply: FastifyReply): Promise<void> {
    let file: StoredAnswer | undefined;
    try {
      file = await this.builds.findFile(path);
    } catch {
      return this.sendPlain(502, request, reply);
    }
    if (file) this.sender.send(file, request, reply);
    // The web process may have the file in a newer build, which this gateway does not know yet.
    else if (path.startsWith('/assets/')) this.proxy.forward(request, reply.raw);
    else await this.sendNotFound(request, reply);
  }

  private sendNotFound(request: GatewayRequest, reply: FastifyReply): Promise<void> {
    return this.sendWhenReady(this.rendered.getNotFoundPage(), request, reply, 404);
  }

  private async sendWhenReady(
    answer: Promise<StoredAnswer | undefined>,
    request: GatewayRequest,
    reply: FastifyReply,
    failureStatus: PlainStatus,
  ): Promise<void> {
    let found: StoredAnswer | undefined;
    try {
      found = await answer;
    } catch (error) {
      // Until the content is loaded, pages and files are not ready (503). An address that has no page or file gets 404 even then.
      const isTemporary = isOverload(error) || (failureStatus === 502 && !this.content.isLoaded);
      return this.sendPlain(isTemporary ? 503 : failureStatus, request, reply);
    }
    if (found) this.sender.send(found, request, reply);
    else this.sendPlain(404, request, reply);
  }

  private sendPlain(status: PlainStatus, request: GatewayRequest, reply: FastifyReply): void {
    const withBody = request.method !== 'HEAD';
    sendPlainPage(status, { response: reply.raw, headers: this.headers, withBody });
  }

  /** Fastify does not handle errors of hijacked replies. A failure here ends this answer, not the process. */
  private respond(request: GatewayRequest, reply: FastifyReply, work: () => Promise<void>): void {
    reply.hijack();
    work().catch((error: unknown) => {
      this.logger.error({ err: error, requestId: request.id }, 'Could not send a page, shell or file');
      reply.raw.destroy();
    });
  }
}

function isOverload(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'OVERLOADED';
}
