import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, type CampaignContent, campaignContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, deletedAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import {
  campaignAudienceEndpoint,
  cancelCampaignEndpoint,
  createCampaignEndpoint,
  getCampaignEndpoint,
  letterFrameEndpoint,
  listCampaignsEndpoint,
  pauseCampaignEndpoint,
  previewCampaignEndpoint,
  removeCampaignEndpoint,
  resumeCampaignEndpoint,
  sendCampaignEndpoint,
  testCampaignEndpoint,
  updateCampaignEndpoint,
} from './campaign.endpoints.js';
import { campaignColumns, exportCampaignsEndpoint } from './messaging.csv.js';

type ListQuery = CallInput<typeof campaignContract.list>;

const emptyPage = '<!doctype html><html lang="en"><head><title>Letter</title></head><body></body></html>';

@Controller()
export class CampaignController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  @Serves(listCampaignsEndpoint)
  async list(
    @Query(new ParsedQuery(listCampaignsEndpoint)) query: ListQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(campaignContract.list, query, caller), request, reply);
  }

  @Serves(exportCampaignsEndpoint)
  export(
    @Query(new ParsedQuery(exportCampaignsEndpoint)) query: ListQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'campaigns', campaignColumns, (part) =>
      this.rpc.call(campaignContract.list, { ...query, ...part }, caller),
    );
  }

  @Serves(createCampaignEndpoint)
  async create(
    @Body(new ParsedBody(createCampaignEndpoint)) body: CampaignContent,
    @Caller() caller: CallOptions,
  ) {
    return createdAnswer(await this.rpc.call(campaignContract.create, { body }, caller));
  }

  @Serves(getCampaignEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(campaignContract.campaign, { id }, caller);
  }

  @Serves(updateCampaignEndpoint)
  async update(
    @Param('id') id: string,
    @Body(new ParsedBody(updateCampaignEndpoint)) body: CampaignContent,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(campaignContract.update, { id, body, ifVersion }, caller));
  }

  @Serves(removeCampaignEndpoint)
  async remove(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return deletedAnswer(await this.rpc.call(campaignContract.remove, { id, ifVersion }, caller));
  }

  @Serves(testCampaignEndpoint)
  test(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(campaignContract.test, { id }, caller);
  }

  @Serves(sendCampaignEndpoint)
  async send(
    @Param('id') id: string,
    @Body(new ParsedBody(sendCampaignEndpoint)) { at }: { at?: string },
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(campaignContract.send, { id, at, ifVersion }, caller));
  }

  @Serves(pauseCampaignEndpoint)
  async pause(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(campaignContract.pause, { id, ifVersion }, caller));
  }

  @Serves(resumeCampaignEndpoint)
  async resume(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(campaignContract.resume, { id, ifVersion }, caller));
  }

  @Serves(cancelCampaignEndpoint)
  async cancel(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(campaignContract.cancel, { id, ifVersion }, caller));
  }

  @Serves(campaignAudienceEndpoint)
  audience(@Caller() caller: CallOptions) {
    return this.rpc.call(campaignContract.audience, {}, caller);
  }

  @Serves(previewCampaignEndpoint)
  preview(
    @Body(new ParsedBody(previewCampaignEndpoint)) body: CampaignContent,
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(campaignContract.preview, { body }, caller);
  }

  @Serves(letterFrameEndpoint)
  frame(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.headers(this.headers.letter).type('text/html; charset=utf-8').header('Cache-Control', 'no-cache');
    return emptyPage;
  }
}
