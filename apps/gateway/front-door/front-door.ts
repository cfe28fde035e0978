import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#libs/contracts';
import { operations } from '#libs/operations';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import type { StoredAnswer } from '../answers/stored-answer.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { ReadyAnswers } from '../content/ready-answers.js';
import { Pages } from '../pages/pages.js';
import { Cors } from '../answers/cors.js';
import { HttpFailure } from '../problem/problem.js';
import { chooseAnswer, weightOf } from '../answers/negotiation.js';
import { type OperationsAtPath, tableOf } from '../routing/operation-table.js';
import { findPage, hasPageSlash, type PageTarget } from '../routing/page-table.js';

const operationTable = tableOf(operations);

interface Address {
  path: string;
  operations?: OperationsAtPath;
  page?: PageTarget;
}

@Injectable()
export class FrontDoor {
  constructor(
    private readonly ready: ReadyAnswers,
    private readonly sender: StoredAnswerSender,
    private readonly pages: Pages,
    private readonly cors: Cors,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  /** A Fastify `onRequest` hook. */
  admit(request: FastifyRequest, reply: FastifyReply, pass: (error?: Error) => void): void {
    const { method, url, headers, rawHeaders } = request.raw;
    if (namesSeveralHosts(rawHeaders)) return pass(new HttpFailure('MALFORMED_REQUEST', severalHostsMessage));
    const isRead = method === 'GET' || method === 'HEAD';
    const ready = isRead ? this.readyAt(url!, headers.accept) : undefined;
    if (ready) return this.sender.send(ready, request, reply);
    const address = addressOf(url!);
    if (!address) return pass(new HttpFailure('MALFORMED_REQUEST'));
    if (isRead) this.admitRead(address, request, reply, pass);
    else if (method === 'OPTIONS') this.answerOptions(address, request, reply);
    else this.admitWrite(address, request, reply, pass);
  }

  /** Finds an answer in memory under exactly this URL. For a URL with a query or another spelling, `admit` matches the path instead. */
  private readyAt(url: string, accept: string | undefined): StoredAnswer | undefined {
    const ready = this.ready.find(url);
    if (!ready) return this.pages.findInMemory(url);
    return !ready.hasPage || chooseAnswer(pageAndJson, accept) === 'json' ? ready.answer : undefined;
  }

  private admitRead(
    address: Address,
    request: FastifyRequest,
    reply: FastifyReply,
    pass: (error?: Error) => void,
  ): void {
    const { path, page } = address;
    const hasGet = address.operations?.has('GET') ?? false;
    const offer = { json: hasGet, page: page !== undefined, isPagePath: hasPageSlash(path, page) };
    if (page && chooseAnswer(offer, request.headers.accept) === 'page') {
      this.pages.serve(page, request, reply);
    } else if (address.operations) {
      this.setApiHeaders(request, reply, hasGet && page !== undefined);
      pass(hasGet ? undefined : this.methodNotAllowed(address, reply));
    } else if (looksLikeFile(path)) {
      this.pages.serveFile(path, request, reply);
    } else if (prefersJson(request.headers.accept)) {
      this.setApiHeaders(request, reply, true);
      pass(new DomainError('NOT_FOUND', {}, 'There is nothing at this address.'));
    } else {
      this.pages.serveNotFound(request, reply);
    }
  }

  private admitWrite(
    address: Address,
    request: FastifyRequest,
    reply: FastifyReply,
    pass: (error?: Error) => void,
  ): void {
    this.setApiHeaders(request, reply, false);
    const isKnown =
      address.operations !== undefined || address.page !== undefined || looksLikeFile(address.path);
    const isServed = address.operations?.has(request.method as 'POST') ?? false;
    pass(isKnown && !isServed ? this.methodNotAllowed(address, reply) : undefined);
  }

  private answerOptions(address: Address, request: FastifyRequest, reply: FastifyReply): void {
    const methods = methodsAt(address);
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const cors = isPreflight ? this.cors.preflightHeaders(request.raw, methods) : [];
    reply.hijack();
    const vary = this.cors.vary === undefined ? [] : ['Vary', this.cors.vary];
    const headers = [...Object.entries(this.headers.api).flat(), ...vary, ...cors, 'Allow', methods];
    reply.raw.writeHead(204, headers).end();
  }

  private setApiHeaders(request: FastifyRequest, reply: FastifyReply, variesByAccept: boolean): void {
    reply.headers(this.headers.api);
    reply.header('Cache-Control', 'no-store');
    reply.header('X-Request-Id', request.id);
    const vary = [variesByAccept && 'Accept', this.cors.vary].filter((name) => typeof name === 'string');
    if (vary.length > 0) reply.header('Vary', vary.join(', '));
    const cors = this.cors.headersFor(request.raw);
    for (let i = 0; i < cors.length; i += 2) reply.header(cors[i]!, cors[i + 1]);
  }

  private methodNotAllowed(address: Address, reply: FastifyReply): HttpFailure {
    reply.header('Allow', methodsAt(address));
    return new HttpFailure('METHOD_NOT_ALLOWED');
  }
}

/** `isPagePath` is false because ready answers are found only at paths without a trailing slash. */
const pageAndJson = { json: true, page: true, isPagePath: false };

function addressOf(url: string): Address | undefined {
  const path = decodePath(url.split('?', 1)[0]!);
  if (!path?.startsWith('/')) return undefined;
  return { path, operations: operationTable.match(path)?.value, page: findPage(path) };
}

const severalHostsMessage = 'The request has more than one Host header.';

/** Servers could disagree about the host of such a request (RFC 9112, section 3.2). `rawHeaders`: name, value, name, value. */
function namesSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Decodes like Fastify's router: an encoded slash stays part of its segment. */
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

function methodsAt({ path, operations: served, page }: Address): string {
  const methods = new Set<string>(served?.keys());
  if (page || (!served && looksLikeFile(path))) methods.add('GET');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].join(', ');
}

function looksLikeFile(path: string): boolean {
  return path.startsWith('/assets/') || path.lastIndexOf('.') > path.lastIndexOf('/');
}

/** Where nothing is found, clients that prefer JSON get JSON, all others a page. */
function prefersJson(accept: string | undefined): boolean {
  return weightOf('application/json', accept) > weightOf('text/html', accept);
}
