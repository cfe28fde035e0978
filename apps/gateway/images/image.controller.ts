import type { Readable } from 'node:stream';
import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, imageContract, type ImageInput } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { SiteSnapshot } from '../content/site-snapshot.js';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, deletedAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import { ImageUploads, type UploadQuery } from './image-uploads.js';
import {
  getImageEndpoint,
  listImagesEndpoint,
  removeImageEndpoint,
  updateImageEndpoint,
  uploadImageEndpoint,
} from './image.endpoints.js';

@Controller()
export class ImageController {
  constructor(
    private readonly uploads: ImageUploads,
    private readonly rpc: RpcClient,
    private readonly site: SiteSnapshot,
  ) {}

  @Serves(uploadImageEndpoint)
  async upload(
    @Body() body: Readable | undefined,
    @Query(new ParsedQuery(uploadImageEndpoint)) query: UploadQuery,
    @Req() { headers }: FastifyRequest,
    @Caller() caller: CallOptions,
  ) {
    const announcedBytes = Number(headers['content-length'] ?? 0);
    return createdAnswer(await this.uploads.upload({ body, announcedBytes }, query, caller));
  }

  @Serves(listImagesEndpoint)
  async list(
    @Query(new ParsedQuery(listImagesEndpoint)) query: CallInput<typeof imageContract.list>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(imageContract.list, query, caller), request, reply);
  }

  @Serves(getImageEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(imageContract.item, { id }, caller);
  }

  @Serves(updateImageEndpoint)
  async update(
    @Param('id') id: string,
    @Body(new ParsedBody(updateImageEndpoint)) body: ImageInput,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const result = await this.rpc.call(imageContract.update, { id, body, ifVersion }, caller);
    await this.site.includeOwnWrite();
    return updatedAnswer(result);
  }

  @Serves(removeImageEndpoint)
  async remove(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return deletedAnswer(await this.uploads.remove(id, ifVersion, caller));
  }
}
