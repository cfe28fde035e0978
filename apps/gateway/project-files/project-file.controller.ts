import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  DomainError,
  fileTransferOperations,
  type OperationInputs,
  projectFileContract,
  uploadContentType,
} from '#libs/contracts';
import {
  type ByteRange,
  PROJECT_FILE_STORAGE,
  projectFileName,
  type ProjectFileStorage,
  projectPreviewName,
} from '#libs/file-storage';
import { RpcClient } from '#libs/transport';
import { HttpFailure } from '../problem/problem.js';
import { rawContentType } from '../routing/raw-body.js';
import { type Context, Serves } from '../routing/serves.js';
import { rangeOf } from './byte-range.js';
import { attachmentNamed } from './content-disposition.js';
import { ProjectUploads } from './project-uploads.js';
import { offsetOf, requireTus, tusVersion, uploadRequestOf } from './tus-headers.js';

type Input = OperationInputs<typeof fileTransferOperations>;

/** Seconds after which a client should ask again for a file that is being scanned, or is not in the storage. */
const retryAfterSeconds = 5;

/** Keep browsers from running or caching the file, and other sites from embedding it. */
const fileHeaders = {
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

@Serves(fileTransferOperations)
export class ProjectFileController {
  constructor(
    private readonly uploads: ProjectUploads,
    private readonly rpc: RpcClient,
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
  ) {}

  async beginProjectUpload(_: Input['beginProjectUpload'], { request, reply, caller }: Context) {
    requireTus(request);
    const id = await this.uploads.begin(uploadRequestOf(request), caller);
    await tusReply(reply, 201).header('location', `/project-uploads/${id}`).send();
  }

  async getProjectUpload({ id }: Input['getProjectUpload'], { reply, caller }: Context) {
    const { offset, bytes, file } = await this.uploads.recoverState(id, caller);
    reply.headers({ 'tus-resumable': tusVersion, 'upload-offset': offset, 'upload-length': bytes });
    return { _id: id, offset, bytes, file };
  }

  async sendProjectUpload({ id }: Input['sendProjectUpload'], { request, reply, caller }: Context) {
    requireTus(request);
    if (rawContentType(request) !== uploadContentType)
      throw new HttpFailure('UNSUPPORTED_MEDIA_TYPE', `Send the bytes as ${uploadContentType}.`);
    const announced = request.headers['content-length'];
    const length = announced === undefined ? undefined : Number(announced);
    const body = request.body as Readable | undefined;
    const offset = await this.uploads.receive(id, { body, offset: offsetOf(request), length }, caller);
    await tusReply(reply, 204).header('upload-offset', offset).send();
  }

  async cancelProjectUpload({ id }: Input['cancelProjectUpload'], { request, reply, caller }: Context) {
    requireTus(request);
    await this.uploads.cancel(id, caller);
    await tusReply(reply, 204).send();
  }

  async downloadProjectFile({ id }: Input['downloadProjectFile'], { request, reply, caller }: Context) {
    const file = await this.rpc.call(projectFileContract.getFile, { id }, caller);
    if (file.state === 'scanning')
      throw new DomainError('UNAVAILABLE', { retryAfterSeconds }, 'This file is being checked for viruses.');
    const etag = `"${file._id}"`;
    const range = requestedRange(request, etag, file.bytes);
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${file.bytes}`);
      throw new HttpFailure('RANGE_NOT_SATISFIABLE');
    }
    const headers = {
      ...fileHeaders,
      'content-type': file.type,
      'content-disposition': attachmentNamed(file.name),
      'content-length': range ? range.end - range.start + 1 : file.bytes,
      'accept-ranges': 'bytes',
      etag,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.bytes}` }),
    };
    if (request.method === 'HEAD') return sendHead(reply.headers(headers));
    const content = await this.storage.files.findStream(file._id, projectFileName, range);
    if (!content) throw new DomainError('UNAVAILABLE', { retryAfterSeconds });
    await reply
      .code(range ? 206 : 200)
      .headers(headers)
      .send(content);
  }

  async previewProjectFile({ id }: Input['previewProjectFile'], { reply, caller }: Context) {
    const file = await this.rpc.call(projectFileContract.getFile, { id }, caller);
    if (file.state !== 'ready' || file.preview !== 'ready') throw new DomainError('NOT_FOUND');
    const picture = await this.storage.previews.findBytes(file._id, projectPreviewName);
    if (!picture) throw new DomainError('NOT_FOUND');
    await reply
      .headers({ ...fileHeaders, 'content-type': 'image/webp', 'content-disposition': 'inline' })
      .send(picture);
  }
}

/**
 * `Range` counts only with GET (RFC 9110, section 14.2). Undefined means the whole file. A client whose `If-Range` does not match gets it, too,
 * because the part that the client already has belongs to another file.
 */
function requestedRange(
  { method, headers }: FastifyRequest,
  etag: string,
  bytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (method !== 'GET') return undefined;
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? rangeOf(headers.range, bytes) : undefined;
}

/** Bypasses Fastify, which would set `content-length` to 0 because there is no body. */
function sendHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders).end();
}

function tusReply(reply: FastifyReply, status: 201 | 204): FastifyReply {
  return reply.code(status).header('tus-resumable', tusVersion);
}
