import { Body, Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError, paymentContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { rawContentType } from '../routing/raw-body.js';
import { receiveNoticeEndpoint } from './payment.endpoints.js';

/** Notices on their way to the orders service: a flood of them must leave room for customers. */
const atOnce = 32;
const retryAfterSeconds = 10;

/** PayPal's door. 200 only once the notice is stored; whatever else is answered, PayPal sends it again. */
@Controller()
export class NoticeController {
  private underWay = 0;

  constructor(private readonly rpc: RpcClient) {}

  @Serves(receiveNoticeEndpoint)
  async receive(
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    if (this.underWay >= atOnce) throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.underWay += 1;
    try {
      const notice = {
        body: (body ?? Buffer.alloc(0)).toString('base64'),
        contentType: rawContentType(request).slice(0, 200),
      };
      await this.rpc.call(paymentContract.receiveNotice, notice, caller);
    } catch (error) {
      throw isOutage(error) ? new DomainError('UNAVAILABLE', { retryAfterSeconds }) : error;
    } finally {
      this.underWay -= 1;
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'TIMEOUT' || error.code === 'INTERNAL');
}
