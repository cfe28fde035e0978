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

/** The documentation of this API, written when somebody first asks for it: most gateways never are, and would start later. */
@Controller()
export class DocsController {
  private written?: Record<'document' | 'page' | 'style', StoredAnswer>;

  constructor(
    private readonly sender: StoredAnswerSender,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  @Serves(documentEndpoint)
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.answers.document, request, reply);
  }

  @Serves(docsEndpoint)
  docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.answers.page, request, reply);
  }

  @Serves(docsStyleEndpoint)
  docsStyle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.answers.style, request, reply);
  }

  private get answers() {
    return (this.written ??= this.write());
  }

  private write() {
    const { api, page, asset } = this.headers;
    const document = openApiDocument(endpoints);
    return {
      document: stored(JSON.stringify(document), documentEndpoint, api),
      page: stored(docsPage(document), docsEndpoint, page),
      style: stored(docsStyle, docsStyleEndpoint, asset),
    };
  }
}

function stored(
  body: string,
  { mediaType = 'application/json' }: Endpoint,
  security: Record<string, string>,
): StoredAnswer {
  return new StoredAnswer({
    status: 200,
    body,
    headers: {
      'Content-Type': `${mediaType}; charset=utf-8`,
      'Cache-Control': 'public, no-cache',
      ...security,
    },
  });
}
