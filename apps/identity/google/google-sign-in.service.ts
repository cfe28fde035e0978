import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type Actor,
  broadcasts,
  type Client,
  DomainError,
  googleContract,
  type Output,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock, secondsAfter } from '../clock.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { type Entry, SignInService, type StoredEntry } from '../sign-in/sign-in.service.js';
import { SessionService } from '../session/session.service.js';
import { type GoogleFlow, GoogleFlowRepository, newBrowserSecret } from './google-flow.repository.js';
import { type GoogleClaims, GoogleClient } from './google-client.js';
import { GoogleAccountService } from './google-account.service.js';

/** Of clocks that differ, in seconds. */
const TOLERANCE_SECONDS = 60;

interface Finish {
  query: string;
  browser?: string | undefined;
  client: Client;
}

interface Entered {
  entry: Entry;
  ended: string[];
}

interface StoredEntered {
  entry: StoredEntry;
  returnTo: string;
}

/** Signing in with Google. */
@Injectable()
export class GoogleSignInService {
  private readonly logger = new Logger(GoogleSignInService.name);

  constructor(
    private readonly provider: GoogleClient,
    private readonly flows: GoogleFlowRepository,
    private readonly identities: GoogleAccountService,
    private readonly sessions: SessionService,
    private readonly pending: SignInService,
    private readonly factors: SecondFactorService,
    private readonly inbox: Inbox,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
  ) {}

  /** Where the browser goes, and the secret by which it is known again. NOT_FOUND, UNAVAILABLE, UNAUTHENTICATED. */
  async begin(
    {
      purpose,
      returnTo,
      browser,
    }: { purpose: 'signIn' | 'confirm'; returnTo: string; browser?: string | undefined },
    actor: Actor,
  ): Promise<Output<typeof googleContract.begin>> {
    const person = 'sessionId' in actor ? actor : undefined;
    const again = purpose === 'confirm';
    if (again && !person) throw new DomainError('UNAUTHENTICATED');
    const secrets = this.provider.newSecrets();
    const url = await this.provider.authorizationUrl(secrets, {
      again,
      ...(again && person && { hint: person.email }),
    });
    const secret = browser ?? newBrowserSecret();
    const sessionId = again ? person!.sessionId : null;
    const flow: GoogleFlow = { ...secrets, returnTo, sessionId, startedAt: this.clock.now() };
    const expiresAt = await this.flows.start(flow, secret);
    return { url, browser: secret, expiresAt: expiresAt.toISOString() };
  }

  /** Signs in, or confirms, whom Google names. See `googleContract.finish`. */
  async finish(
    { query, browser, client }: Finish,
    requestId: string,
  ): Promise<Output<typeof googleContract.finish>> {
    const key = { requestId, fingerprint: fingerprintOf(query) };
    // Delivered again after it was done: the flow is gone, the session is there.
    const done = await this.inbox.replyTo<StoredEntered>(key);
    const flow = done ? undefined : await this.endFlow(query, browser);
    const claims = flow && (await this.provider.exchange(query, flow));
    if (flow?.sessionId && claims) {
      await this.confirm(flow, claims);
      return { returnTo: flow.returnTo, signedIn: null };
    }
    const returnTo = done?.returnTo ?? flow!.returnTo;
    const { entry, ended } = await this.inbox.once<Entered, StoredEntered>(
      key,
      (tx) => this.enter(tx, claims!, client),
      {
        store: (made) => ({ entry: this.pending.store(made.entry), returnTo }),
        restore: async (stored, tx) => ({ entry: await this.pending.restore(stored.entry, tx), ended: [] }),
      },
    );
    if (ended.length > 0) await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: ended });
    await this.announcer.tell(broadcasts.adminsChanged, {});
    const grant = this.pending.admit(entry);
    this.logger.log(
      `Sign-in to ${grant.account.id} by Google from ${client.address}, session ${grant.sessionId}`,
    );
    return { returnTo, signedIn: await this.sessions.signedIn(grant) };
  }

  private async endFlow(query: string, browser: string | undefined): Promise<GoogleFlow> {
    const state = new URLSearchParams(query).get('state');
    const flow = state && browser ? await this.flows.end(state, browser) : undefined;
    if (!flow) throw new DomainError('SIGN_IN_EXPIRED');
    return flow;
  }

  /** The session goes on, as fresh as a new one: the same person has just been to Google. */
  private async confirm({ sessionId, startedAt }: GoogleFlow, claims: GoogleClaims): Promise<void> {
    const proved = claims.authenticatedAt;
    if (proved && proved < secondsAfter(startedAt, -TOLERANCE_SECONDS))
      throw new DomainError('SIGN_IN_REFUSED');
    await this.sessions.confirm(sessionId!, async (tx, accountId) => {
      // As fully as at the sign-in: with a second factor, Google alone is not all.
      if ((await this.factors.methodsOf(tx, accountId)).length > 0) return false;
      return this.identities.isLinked(tx, accountId, claims);
    });
  }

  private async enter(tx: EntityManager, claims: GoogleClaims, client: Client): Promise<Entered> {
    const { accountId, ended } = await this.identities.accountOf(tx, claims);
    return { entry: await this.pending.enter(tx, accountId, client), ended };
  }
}

function fingerprintOf(query: string): string {
  return createHash('sha256').update(`google ${query}`).digest('hex');
}
