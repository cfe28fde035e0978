import { Body, Controller, Param } from '@nestjs/common';
import { type CallInput, paymentContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import {
  addPaypalEmailEndpoint,
  getPaypalEmailEndpoint,
  listPaypalEmailEndpoint,
  updatePaypalEmailEndpoint,
} from './paypal-email.endpoints.js';

type PaypalEmailBody = CallInput<typeof paymentContract.addPaypalEmail>['body'];

@Controller()
export class PaypalEmailController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(listPaypalEmailEndpoint)
  list(@Caller() caller: CallOptions) {
    return this.rpc.call(paymentContract.listPaypalEmail, {}, caller);
  }

  @Serves(getPaypalEmailEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(paymentContract.paypalEmail, { id }, caller);
  }

  @Serves(addPaypalEmailEndpoint)
  async add(
    @Body(new ParsedBody(addPaypalEmailEndpoint)) body: PaypalEmailBody,
    @Caller() caller: CallOptions,
  ) {
    return createdAnswer(await this.rpc.call(paymentContract.addPaypalEmail, { body }, caller));
  }

  @Serves(updatePaypalEmailEndpoint)
  async update(
    @Param('id') id: string,
    @Body(new ParsedBody(updatePaypalEmailEndpoint)) body: PaypalEmailBody,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const input = { id, body, ifVersion };
    return updatedAnswer(await this.rpc.call(paymentContract.updatePaypalEmail, input, caller));
  }
}
