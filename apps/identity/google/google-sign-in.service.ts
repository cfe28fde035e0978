import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { broadcasts, type Client, DomainError, googleContract, type HandlerInputs } from '#libs/contracts';
import { Inbox, type InboxKey, newToken, sha256 } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { BroadcastService } from '../core/broadcast.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { SessionService } from '../session/session.service.js';
import {
  type FirstStepResult,
  SignInService,
  type StoredFirstStepResult,
} from '../sign-in/sign-in.service.js';
import { GoogleAccountService } from './google-account.service.js';
import { type GoogleClaims, GoogleClient } from './google-client.js';
import { type GoogleFlow, GoogleFlowRepository } from './google-flow.repository.js';

/** Google's clock and ours may differ by this much. */
const toleranceSeconds = 60;
/** Long enough to find a phone for Google's own second factor. */
const flowSeconds = 15 * 60;

interface SignInResult {
  firstStep: FirstStepResult;
  endedSessionIds: string[];
  becameVerified: boolean;
}

/** `entry` keeps its name because replies that are already stored in the inbox use it. */
interface StoredResult {
  /** Null if a session that the person already had was made fresh (`confirm`). */
  entry: StoredFirstStepResult | null;
  returnTo: string;
}

type Input = HandlerInputs<typeof googleContract>;

@Injectable()
export class GoogleSignInService {
  constructor(
    private readonly google: GoogleClient,
    private readonly flows: GoogleFlowRepository,
    private readonly accounts: GoogleAccountService,
    private readonly sessions: SessionService,
    private readonly signIns: SignInService,
    private readonly factors: SecondFactorService,
    private readonly inbox: Inbox,
    private readonly broadcaster: BroadcastService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns where the browser has to go, and the secret for its cookie. Throws NOT_FOUND, UNAVAILABLE, UNAUTHENTICATED. */
  @Handles(googleContract.begin)
  async begin({ purpose, returnTo, browser }: Input['begin'], { actor }: RequestContext) {
    const personToConfirm = purpose === 'confirm' && 'sessionId' in actor ? actor : undefined;
    if (purpose === 'confirm' && !personToConfirm) throw new DomainError('UNAUTHENTICATED');
    const flowSecrets = this.google.newSecrets();
    const url = await this.google.authorizationUrl(flowSecrets, {
      again: personToConfirm !== undefined,
      ...(personToConfirm && { hint: personToConfirm.email }),
    });
    const browserSecret = browser ?? newToken();
    const startedAt = this.clock.now();
    const expiresAt = addSeconds(startedAt, flowSeconds);
    const flow = { ...flowSecrets, returnTo, sessionId: personToConfirm?.sessionId ?? null, startedAt };
    await this.flows.insert(flow, browserSecret, expiresAt);
    return { url, browser: browserSecret, expiresAt: expiresAt.toISOString() };
  }

  @Handles(googleContract.finish)
  async finish({ query, browser: browserSecret, client }: Input['finish'], { requestId }: RequestContext) {
    const key = { requestId, fingerprint: sha256(`google ${query}`).toString('hex') };
    // The flow of a completed request is gone. The stored reply shows whether it was a sign-in or a confirmation.
    const storedReply = await this.inbox.findReply<StoredResult>(key);
    if (storedReply && !storedReply.entry) return { returnTo: storedReply.returnTo, signedIn: null };
    const flow = storedReply ? undefined : await this.takeFlow(query, browserSecret);
    const claims = flow && (await this.google.exchange(query, flow));
    if (flow?.sessionId && claims) {
      await this.confirm(key, flow, claims);
      return { returnTo: flow.returnTo, signedIn: null };
    }
    const returnTo = storedReply?.returnTo ?? flow!.returnTo;
    const { firstStep, endedSessionIds, becameVerified } = await this.inbox.once<SignInResult, StoredResult>(
      key,
      (tx) => this.signIn(tx, claims!, client),
      {
        toStored: (result) => ({ entry: this.signIns.toStored(result.firstStep), returnTo }),
        restore: async ({ entry }, tx) => ({
          firstStep: await this.signIns.restore(entry!, tx),
          endedSessionIds: [],
          // Not stored, so assume it: the first attempt may have ended before its broadcast, and a needless broadcast is harmless.
          becameVerified: true,
        }),
      },
    );
    await this.broadcaster.publishEndedSessions(endedSessionIds);
    if (becameVerified) await this.broadcaster.publish(broadcasts.adminsChanged, {});
    const grant = this.signIns.requireGrant(firstStep);
    const { account, sessionId } = grant;
    this.logger.info({ accountId: account.id, sessionId, address: client.address }, 'Signed in with Google');
    return { returnTo, signedIn: await this.sessions.answerFor(grant) };
  }

  private async takeFlow(query: string, browserSecret: string | undefined): Promise<GoogleFlow> {
    const state = new URLSearchParams(query).get('state');
    const flow =
      state && browserSecret ? await this.flows.take(state, browserSecret, this.clock.now()) : null;
    if (!flow) throw new DomainError('SIGN_IN_EXPIRED');
    return flow;
  }

  private async confirm(
    key: InboxKey,
    { sessionId, startedAt, returnTo }: GoogleFlow,
    claims: GoogleClaims,
  ): Promise<void> {
    const { authenticatedAt } = claims;
    // The stand-in sends this time, but Google leaves it out. Without it, a sign-in of any age at Google is enough.
    if (authenticatedAt && authenticatedAt < addSeconds(startedAt, -toleranceSeconds))
      throw new DomainError('SIGN_IN_REFUSED');
    await this.sessions.reauthenticate<StoredResult>(key, sessionId!, async (tx, accountId) => {
      // As when signing in, Google alone is not enough for an account with a second factor.
      const hasSecondFactor = await this.factors.hasAny(tx, accountId);
      if (hasSecondFactor || !(await this.accounts.isLinked(tx, accountId, claims)))
        throw new DomainError('SIGN_IN_REFUSED');
      return { entry: null, returnTo };
    });
  }

  private async signIn(tx: EntityManager, claims: GoogleClaims, client: Client): Promise<SignInResult> {
    const { accountId, ...changes } = await this.accounts.findOrCreate(tx, claims);
    return { firstStep: await this.signIns.completeFirstStep(tx, accountId, client), ...changes };
  }
}
