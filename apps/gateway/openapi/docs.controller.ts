import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import type { Endpoint } from '../routing/endpoint.js';
import { endpoints } from '../routing/endpoints.js';
import { Serves } from '../routing/endpoint.js';
import { docsPage, docsStyle } from './docs-page.js';
import { openApiDocument } from './document.js';
import { docsEndpoint, docsStyleEndpoint, documentEndpoint } from './openapi.endpoints.js';

/** The documentation of this API, written once at start. */
@Controller()
export class DocsController {
  private readonly document: StoredAnswer;
  private readonly page: StoredAnswer;
  private readonly style: StoredAnswer;

  constructor(
    private readonly sender: StoredAnswerSender,
    @Inject(SECURITY_HEADERS) headers: SecurityHeaders,
  ) {
    const stored = (
      body: string,
      { mediaType = 'application/json' }: Endpoint,
      security: Record<string, string>,
    ) =>
      new StoredAnswer({
        status: 200,
        body,
        headers: {
          'Content-Type': `${mediaType}; charset=utf-8`,
          'Cache-Control': 'public, no-cache',
          ...security,
        },
      });
    const document = openApiDocument(endpoints);
    this.document = stored(JSON.stringify(document), documentEndpoint, headers.api);
    this.page = stored(docsPage(document), docsEndpoint, headers.page);
    this.style = stored(docsStyle, docsStyleEndpoint, headers.asset);
  }

  @Serves(documentEndpoint)
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.document, request, reply);
  }

  @Serves(docsEndpoint)
  docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.page, request, reply);
  }

  @Serves(docsStyleEndpoint)
  docsStyle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.style, request, reply);
  }
}
