import { Inject } from '@nestjs/common';
import { apiReferenceOperations, type Operation, operations } from '#libs/operations';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { type Context, Serves } from '../routing/serves.js';
import { docsPage, docsStyle } from './docs-page.js';
import { openApiDocument } from './document.js';

/** The reference of this API. It is written on first use: most gateways never need it, and would start more slowly. */
@Serves(apiReferenceOperations)
export class DocsController {
  private written?: Record<'document' | 'page' | 'style', StoredAnswer>;

  constructor(
    private readonly sender: StoredAnswerSender,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  document(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.document, request, reply);
  }

  page(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.page, request, reply);
  }

  style(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.style, request, reply);
  }

  private get answers() {
    return (this.written ??= this.write());
  }

  private write() {
    const { api, page, asset } = this.headers;
    const document = openApiDocument(operations);
    return {
      document: stored(JSON.stringify(document), apiReferenceOperations.document, api),
      page: stored(docsPage(document), apiReferenceOperations.page, page),
      style: stored(docsStyle, apiReferenceOperations.style, asset),
    };
  }
}

function stored(
  body: string,
  { mediaType = 'application/json' }: Operation,
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
