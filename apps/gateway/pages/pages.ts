import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import type { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { SiteSnapshot } from '../content/site-snapshot.js';
import { ImageFiles } from '../images/image-files.js';
import type { GatewayRequest } from '../policy/caller.js';
import type { PageTarget } from '../routing/page-table.js';
import { SiteFiles } from '../site-files/site-files.js';
import { type PlainStatus, sendPlainPage } from './plain-page.js';
import { PreviewImages } from './preview-images.js';
import { RenderedPages } from './rendered-pages.js';
import { WebProxy } from './web-proxy.js';

/** Answers with pages and files: rendered ones and those made here from memory, shells and assets from the web process. */
@Injectable()
export class Pages {
  constructor(
    private readonly rendered: RenderedPages,
    private readonly files: SiteFiles,
    private readonly previews: PreviewImages,
    private readonly images: ImageFiles,
    private readonly proxy: WebProxy,
    private readonly site: SiteSnapshot,
    private readonly sender: StoredAnswerSender,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  /** See `RenderedPages.ready`, `ImageFiles.ready`. */
  ready(url: string): StoredAnswer | undefined {
    return this.rendered.ready(url) ?? this.images.ready(url);
  }

  serve(target: PageTarget, request: GatewayRequest, reply: FastifyReply): void {
    if (target.kind === 'public')
      this.sendWhenReady(this.rendered.page(target.page.path), request, reply, 502);
    else this.forward(request, reply);
  }

  serveNotFound(request: GatewayRequest, reply: FastifyReply): void {
    this.sendWhenReady(this.rendered.notFound(), request, reply, 404);
  }

  serveFile(path: string, request: GatewayRequest, reply: FastifyReply): void {
    const own = this.files.at(path) ?? this.previews.at(path) ?? this.images.at(path);
    if (own) this.sendWhenReady(own, request, reply, 502);
    else if (path.startsWith('/images/')) this.sendPlain(404, request, reply);
    else this.forward(request, reply);
  }

  /** To the web process: a file of its own, or the shell of a page that the browser fills. */
  private forward(request: GatewayRequest, reply: FastifyReply): void {
    reply.hijack();
    this.proxy.forward(request.raw, reply.raw, request.traceparent);
  }

  private sendWhenReady(
    answer: Promise<StoredAnswer | undefined>,
    request: GatewayRequest,
    reply: FastifyReply,
    otherwise: PlainStatus,
  ): void {
    reply.hijack();
    answer.then(
      (found) => (found ? this.sender.send(found, request, reply) : this.sendPlain(404, request, reply)),
      () => this.sendPlain(otherwise === 502 && !this.site.isLoaded ? 503 : otherwise, request, reply),
    );
  }

  private sendPlain(status: PlainStatus, request: GatewayRequest, reply: FastifyReply): void {
    reply.hijack();
    const withBody = request.method !== 'HEAD';
    sendPlainPage(status, { response: reply.raw, headers: this.headers, withBody });
  }
}
