import { Body, Controller, Param } from '@nestjs/common';
import { type CallInput, secondFactorContract as contract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { Caller } from '../policy/caller.js';
import { deletedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { LiveSessions } from './live-sessions.js';
import {
  addPasskeyEndpoint,
  beginTotpEndpoint,
  confirmTotpEndpoint,
  newPasskeyOptionsEndpoint,
  recoveryCodesEndpoint,
  removePasskeyEndpoint,
  removeTotpEndpoint,
  renamePasskeyEndpoint,
  requirementEndpoint,
  securityEndpoint,
  setRequirementEndpoint,
} from './second-factor.endpoints.js';

/** The own second factors, and whether admins must have one. Whether an admin may act can hang on each change. */
@Controller()
export class SecondFactorController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly sessions: LiveSessions,
  ) {}

  @Serves(securityEndpoint)
  security(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.security, {}, caller);
  }

  @Serves(beginTotpEndpoint)
  beginTotp(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.beginTotp, {}, caller);
  }

  @Serves(confirmTotpEndpoint)
  confirmTotp(
    @Body(new ParsedBody(confirmTotpEndpoint)) { code }: { code: string },
    @Caller() caller: CallOptions,
  ) {
    return this.changed(this.rpc.call(contract.confirmTotp, { code }, caller));
  }

  @Serves(removeTotpEndpoint)
  removeTotp(@Caller() caller: CallOptions) {
    return this.changed(this.rpc.call(contract.removeTotp, {}, caller));
  }

  @Serves(recoveryCodesEndpoint)
  renewRecoveryCodes(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.renewRecoveryCodes, {}, caller);
  }

  @Serves(newPasskeyOptionsEndpoint)
  beginPasskey(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.beginPasskey, {}, caller);
  }

  @Serves(addPasskeyEndpoint)
  addPasskey(
    @Body(new ParsedBody(addPasskeyEndpoint)) body: CallInput<typeof contract.addPasskey>,
    @Caller() caller: CallOptions,
  ) {
    return this.changed(this.rpc.call(contract.addPasskey, body, caller));
  }

  @Serves(renamePasskeyEndpoint)
  renamePasskey(
    @Param('id') id: string,
    @Body(new ParsedBody(renamePasskeyEndpoint)) { name }: { name: string },
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(contract.renamePasskey, { id, name }, caller);
  }

  @Serves(removePasskeyEndpoint)
  async removePasskey(@Param('id') id: string, @Caller() caller: CallOptions) {
    return deletedAnswer(await this.changed(this.rpc.call(contract.removePasskey, { id }, caller)));
  }

  @Serves(requirementEndpoint)
  requirement(@Caller() caller: CallOptions) {
    return this.rpc.call(contract.requirement, {}, caller);
  }

  @Serves(setRequirementEndpoint)
  setRequirement(
    @Body(new ParsedBody(setRequirementEndpoint)) { required }: { required: boolean },
    @Caller() caller: CallOptions,
  ) {
    return this.changed(this.rpc.call(contract.setRequirement, { required }, caller));
  }

  private async changed<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    this.sessions.forgetAll();
    return result;
  }
}
