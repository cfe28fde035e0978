import {
  accountContract,
  accountOperations,
  acknowledgedAnswer,
  type OperationInputs,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';
import { clientOf } from '../routing/gateway-request.js';
import { SessionCookies } from './session-cookies.js';

type Input = OperationInputs<typeof accountOperations>;

@Serves(accountOperations)
export class AccountController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly cookies: SessionCookies,
  ) {}

  async deleteAccount(body: Input['deleteAccount'], { request, reply, caller }: Context) {
    await this.rpc.call(accountContract.deleteAccount, { ...body, client: clientOf(request) }, caller);
    this.cookies.clear(reply);
    return acknowledgedAnswer;
  }

  async endAllSessions(_: object, { reply, caller }: Context) {
    const { ended } = await this.rpc.call(accountContract.endAllSessions, {}, caller);
    this.cookies.clear(reply);
    return { ...acknowledgedAnswer, ended };
  }

  async endSession({ id }: Input['endSession'], { reply, caller }: Context) {
    await this.rpc.call(accountContract.endSession, { id }, caller);
    if ('sessionId' in caller.actor && caller.actor.sessionId === id) this.cookies.clear(reply);
    return acknowledgedAnswer;
  }
}
