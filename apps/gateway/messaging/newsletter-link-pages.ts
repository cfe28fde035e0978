import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  DomainError,
  type NewsletterSubscription,
  type NewsletterLink,
  type NewsletterLinkPageData,
  newsletterLinkPaths,
} from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { notIndexed, SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { ContentCache } from '../content/content-cache.js';
import { sendPlainPage } from '../answers/plain-page.js';
import { Renderer } from '../pages/renderer.js';
import { chooseAnswer } from '../answers/negotiation.js';
import { bytesOf } from '../routing/raw-body.js';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Matches the body that the button on the page sends. */
const sentByPage = /(^|&)page=yes(&|$)/;

/** A client whose `Accept` names neither a page nor JSON gets JSON. */
const offer = { json: true, page: true, isPagePath: false };

/** Browsers get pages; all other clients, such as mail programs, get JSON. */
@Injectable()
export class NewsletterLinkPages {
  constructor(
    private readonly renderer: Renderer,
    private readonly content: ContentCache,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `asked`: a confirmation mail was requested on this page. */
  async answerGet(
    link: NewsletterLink,
    { token, campaign, asked }: { token: string; campaign?: string; asked?: 'yes' },
    { request, reply }: Exchange,
    read: () => Promise<NewsletterSubscription>,
  ): Promise<void> {
    reply.header('Vary', 'Accept');
    if (chooseAnswer(offer, request.headers.accept) === 'json') {
      await reply.send(await read());
      return;
    }
    try {
      const subscription = await nullIfUnknown(read);
      await this.send({ link, token, campaign, subscription, asked: asked === 'yes' }, reply);
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not show a page for a newsletter link');
      this.sendFault({ request, reply });
    }
  }

  /**
   * A person is redirected to the page, which shows the result; a mail program must not be redirected (RFC 8058, section 3.1). `asked`: the action
   * requests a confirmation mail, and the page will say so.
   */
  async answerPost(
    link: NewsletterLink,
    { token, asked }: { token: string; asked?: 'yes' },
    { request, reply }: Exchange,
    act: () => Promise<NewsletterSubscription>,
  ): Promise<void> {
    if (!sentByPage.test(bytesOf(request).toString('latin1'))) {
      await reply.send(await act());
      return;
    }
    try {
      await nullIfUnknown(act);
      const query = new URLSearchParams({ token, ...(asked && { asked }) });
      await reply.code(303).header('Location', `${newsletterLinkPaths[link]}?${query}`).send();
    } catch (error) {
      this.logger.warn({ err: error }, 'Could not perform the action of a newsletter link');
      this.sendFault({ request, reply });
    }
  }

  private async send(page: NewsletterLinkPageData, reply: FastifyReply): Promise<void> {
    const html = await this.renderer.renderNewsletterPage(page, this.content.latest);
    await reply
      .code(page.subscription ? 200 : 404)
      .headers({ ...this.headers.page, ...notIndexed, 'Referrer-Policy': 'no-referrer' })
      .header('Content-Type', 'text/html; charset=utf-8')
      .send(html);
  }

  private sendFault({ request, reply }: Exchange): void {
    reply.hijack();
    sendPlainPage(503, { response: reply.raw, headers: this.headers, withBody: request.method !== 'HEAD' });
  }
}

async function nullIfUnknown(
  call: () => Promise<NewsletterSubscription>,
): Promise<NewsletterSubscription | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
