import type { FastifyRequest } from 'fastify';
import {
  acknowledgedAnswer,
  DomainError,
  type OperationInputs,
  secondFactorContract as contract,
  signInStepOperations,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';
import { clientOf } from '../routing/gateway-request.js';
import { SessionCookies } from './session-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { SignInCookies } from './sign-in-cookies.js';

type Input = OperationInputs<typeof signInStepOperations>;

@Serves(signInStepOperations)
export class SignInStepsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
    private readonly signInCookies: SignInCookies,
    private readonly device: DeviceCookie,
  ) {}

  async finishSignIn(proof: Input['finishSignIn'], { request, reply, caller }: Context) {
    const input = {
      token: this.getPendingToken(request),
      proof,
      client: this.device.recognizeClient(request, reply),
    };
    const signedIn = await this.rpc.call(contract.finishSignIn, input, caller);
    this.signInCookies.clearPendingToken(reply);
    return this.cookies.setAndAnswer(reply, signedIn);
  }

  challengeSecondFactor(_: object, { request, caller }: Context) {
    const input = { purpose: 'finish' as const, token: this.getPendingToken(request) };
    return this.rpc.call(contract.issuePasskeyChallenge, input, caller);
  }

  challengePasskey(_: object, { caller }: Context) {
    return this.rpc.call(contract.issuePasskeyChallenge, { purpose: 'signIn' }, caller);
  }

  async signInByPasskey({ passkey }: Input['signInByPasskey'], { request, reply, caller }: Context) {
    const input = { passkey, client: this.device.recognizeClient(request, reply) };
    return this.cookies.setAndAnswer(reply, await this.rpc.call(contract.signInByPasskey, input, caller));
  }

  async confirmSignIn(proof: Input['confirmSignIn'], { request, caller }: Context) {
    await this.rpc.call(contract.confirmSignIn, { ...proof, client: clientOf(request) }, caller);
    return acknowledgedAnswer;
  }

  challengeConfirmation(_: object, { caller }: Context) {
    return this.rpc.call(contract.issuePasskeyChallenge, { purpose: 'confirm' }, caller);
  }

  private getPendingToken(request: FastifyRequest): string {
    const token = this.signInCookies.pendingToken(request);
    if (token === undefined) throw new DomainError('SIGN_IN_EXPIRED');
    return token;
  }
}
