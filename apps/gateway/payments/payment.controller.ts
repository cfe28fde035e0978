import { Body, Controller, Param } from '@nestjs/common';
import { paymentContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { paymentReturnEndpoint, startPaymentEndpoint } from './payment.endpoints.js';

@Controller()
export class PaymentController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(startPaymentEndpoint)
  start(@Param('id') orderId: string, @Caller() caller: CallOptions) {
    return this.rpc.call(paymentContract.startAttempt, { orderId }, caller);
  }

  @Serves(paymentReturnEndpoint)
  returned(
    @Param('id') orderId: string,
    @Body(new ParsedBody(paymentReturnEndpoint)) { tx }: { tx?: string },
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(paymentContract.returned, { orderId, tx }, caller);
  }
}
