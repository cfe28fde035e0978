import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Inject } from '@nestjs/common';
import { apiReferenceOperations, type Operation } from '#libs/contracts';
import { operations } from '#libs/operations';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { SiteAddress } from '../answers/site-address.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { type Context, Serves } from '../routing/serves.js';
import { openApiDocument } from './document.js';
import { referencePage, referenceStyle, startScript } from './reference-page.js';

/** Scalar is the viewer of OpenAPI documents that `referencePage` loads. */
export const SCALAR_PATH = Symbol('path of the Scalar script');

type Answers = Record<'document' | 'page' | 'style' | 'start', StoredAnswer>;

@Serves(apiReferenceOperations)
export class DocsController {
  /** Created on first use, because most gateways never need them. */
  private createdAnswers?: Answers;
  private scalarAnswer?: Promise<StoredAnswer>;

  constructor(
    private readonly sender: StoredAnswerSender,
    private readonly siteAddress: SiteAddress,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(SCALAR_PATH) private readonly scalarPath: string,
  ) {}

  getOpenApiDocument(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.document, request, reply);
  }

  getDocs(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.page, request, reply);
  }

  getDocsStyle(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.style, request, reply);
  }

  getDocsStartScript(_: object, { request, reply }: Context): void {
    this.sender.send(this.answers.start, request, reply);
  }

  async getDocsScript(_: object, { request, reply }: Context): Promise<void> {
    this.scalarAnswer ??= this.readScalar().catch((error: unknown) => {
      this.scalarAnswer = undefined;
      throw error;
    });
    this.sender.send(await this.scalarAnswer, request, reply);
  }

  private get answers(): Answers {
    return (this.createdAnswers ??= this.createAnswers());
  }

  private createAnswers(): Answers {
    const { api, reference, asset } = this.headers;
    const document = openApiDocument(operations, this.siteAddress.url);
    // Scalar's style elements need a nonce. One for all readers is enough: the page contains no user input.
    const nonce = randomBytes(16).toString('base64url');
    return {
      document: storedAnswer(JSON.stringify(document), apiReferenceOperations.getOpenApiDocument, api),
      page: storedAnswer(
        referencePage(document.info.title, nonce),
        apiReferenceOperations.getDocs,
        reference(nonce),
      ),
      style: storedAnswer(referenceStyle, apiReferenceOperations.getDocsStyle, asset),
      start: storedAnswer(startScript, apiReferenceOperations.getDocsStartScript, asset),
    };
  }

  /** Waits for the compression. Without it, the answer would be four times as large. */
  private async readScalar(): Promise<StoredAnswer> {
    const script = await readFile(this.scalarPath, 'utf8');
    const answer = storedAnswer(script, apiReferenceOperations.getDocsScript, this.headers.asset);
    await answer.compressed;
    return answer;
  }
}

function storedAnswer(
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
