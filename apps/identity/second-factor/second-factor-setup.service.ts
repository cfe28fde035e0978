import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  broadcasts,
  type Client,
  DomainError,
  type HandlerInput,
  type Output,
  type SecondFactorChange,
  secondFactorContract,
  type SignedIn,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { AccountMailService } from '../core/account-mail.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { lockAccount } from '../account/lock-account.js';
import { personOf } from '../account/person.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import type { SecretSealer } from '../core/secret-sealer.js';
import { PasskeyService, RelyingParty } from '../passkey/passkey.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { type Grant, SessionService } from '../session/session.service.js';
import { RecoveryCodeService } from './recovery-code.service.js';
import { SecondFactorService, TOTP_SEALER } from './second-factor.service.js';
import { newTotpSecret, qrPath, totpUri } from './totp.js';

type Of<K extends keyof typeof secondFactorContract> = Promise<Output<(typeof secondFactorContract)[K]>>;
type InputOf<K extends keyof typeof secondFactorContract> = HandlerInput<(typeof secondFactorContract)[K]>;

/** Setting up second factors, and signing in by them. */
@Injectable()
export class SecondFactorSetupService {
  private readonly logger = new Logger(SecondFactorSetupService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly factors: SecondFactorService,
    private readonly recovery: RecoveryCodeService,
    private readonly passkeys: PasskeyService,
    private readonly pending: SignInService,
    private readonly sessions: SessionService,
    private readonly mail: AccountMailService,
    private readonly announcer: BroadcastService,
    private readonly party: RelyingParty,
    @Inject(TOTP_SEALER) private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** The second step of a sign-in. */
  async finish({ token, proof, client }: InputOf<'finish'>, requestId: string): Promise<SignedIn> {
    const key = { requestId, fingerprint: fingerprintOf('second factor', token) };
    // Delivered again after it was done: the code is used up, the session is there.
    const done = await this.inbox.replyTo(key);
    const accountId = done ? '' : await this.pending.accountOf(token);
    const checked = !done && proof.code ? await this.factors.check(accountId, proof.code) : undefined;
    const grant = await this.signInOnce(key, async (tx) => {
      if (checked) await this.factors.use(tx, accountId, checked);
      else await this.passkeys.use(tx, proof.passkey!, { purpose: 'finish', accountId });
      if (checked && 'recoveryHash' in checked) await this.tell(tx, accountId, 'recoveryCodeUsed');
      return this.pending.finish(tx, token, client);
    });
    this.logger.log(`Second step of a sign-in to ${grant.account.id} from ${client.address}`);
    return this.sessions.signedIn(grant);
  }

  /** Signs in by a passkey alone. */
  async signInByPasskey(
    { passkey, client }: { passkey: Record<string, unknown>; client: Client },
    requestId: string,
  ): Promise<SignedIn> {
    const key = { requestId, fingerprint: fingerprintOf('passkey', String(passkey.id)) };
    const grant = await this.signInOnce(key, async (tx) => {
      const accountId = await this.passkeys.use(tx, passkey, { purpose: 'signIn', accountId: null });
      return this.sessions.open(tx, accountId, client);
    });
    this.logger.log(`Sign-in to ${grant.account.id} by a passkey from ${client.address}`);
    return this.sessions.signedIn(grant);
  }

  async challenge({ purpose, token }: InputOf<'passkeyChallenge'>, actor: Actor): Of<'passkeyChallenge'> {
    const accountId =
      purpose === 'signIn'
        ? null
        : purpose === 'confirm'
          ? personOf(actor).accountId
          : await this.pending.accountOf(token ?? '');
    return { options: await this.passkeys.requestOptions(purpose, accountId) };
  }

  security(actor: Actor): Of<'security'> {
    return this.factors.security(personOf(actor).accountId);
  }

  /** A secret that was never confirmed is replaced. */
  beginTotp(context: RequestContext): Of<'beginTotp'> {
    const secret = newTotpSecret();
    return this.inbox.once<Output<typeof secondFactorContract.beginTotp>, { secret: string; email: string }>(
      context,
      async (tx) => {
        const account = await lockAccount(tx, context.actor);
        const rows = await tx.query<unknown[]>(
          `INSERT INTO totp_factors AS factor (account_id, secret, created_at, last_step) VALUES ($1, $2, $3, 0)
           ON CONFLICT (account_id) DO UPDATE SET secret = $2, created_at = $3 WHERE factor.confirmed_at IS NULL
           RETURNING 1`,
          [account.id, this.sealer.seal(secret), this.clock.now()],
        );
        if (rows.length === 0) throw alreadySetUp();
        return this.toShow(secret, account.email);
      },
      {
        // The secret is not stored a second time: a repeated request gets the one that is there.
        store: () => ({ secret: '', email: '' }),
        restore: async (_stored, tx) => {
          const account = await lockAccount(tx, context.actor);
          const [row] = await tx.query<{ secret: string }[]>(
            `SELECT secret FROM totp_factors WHERE account_id = $1 AND confirmed_at IS NULL`,
            [account.id],
          );
          if (!row) throw alreadySetUp();
          return this.toShow(this.sealer.open(row.secret), account.email);
        },
      },
    );
  }

  async confirmTotp(code: string, context: RequestContext): Of<'confirmTotp'> {
    const { accountId } = personOf(context.actor);
    if (await this.inbox.replyTo(context)) return { recoveryCodes: null };
    const checked = await this.factors.check(accountId, code, 'unconfirmed');
    if (!('step' in checked)) throw new DomainError('INVALID_CODE');
    const added = await this.addFactor(context, 'totpAdded', async (tx) => {
      const [rows] = await tx.query<[unknown[], number]>(
        `UPDATE totp_factors SET confirmed_at = $2 WHERE account_id = $1 AND confirmed_at IS NULL RETURNING 1`,
        [accountId, this.clock.now()],
      );
      if (rows.length === 0) throw alreadySetUp();
      await this.factors.use(tx, accountId, checked);
    });
    return { recoveryCodes: added.recoveryCodes };
  }

  async removeTotp(context: RequestContext): Of<'removeTotp'> {
    return this.changed(() =>
      this.inbox.once(context, async (tx) => {
        const { id } = await lockAccount(tx, context.actor);
        const [rows] = await tx.query<[{ confirmed_at: Date | null }[], number]>(
          `DELETE FROM totp_factors WHERE account_id = $1 RETURNING confirmed_at`,
          [id],
        );
        const removed = Boolean(rows[0]?.confirmed_at);
        if (removed) await this.afterRemoval(tx, id, 'totpRemoved');
        return { removed };
      }),
    );
  }

  async renewRecoveryCodes(context: RequestContext): Of<'renewRecoveryCodes'> {
    const made = await this.recovery.make(personOf(context.actor).accountId);
    const stored = await this.inbox.once<{ codes: string[] }, object>(
      context,
      async (tx) => {
        const { id } = await lockAccount(tx, context.actor);
        if ((await this.factors.methodsOf(tx, id)).length === 0)
          throw new DomainError(
            'INVALID_TRANSITION',
            {},
            'Set up a second factor before you create recovery codes.',
          );
        await this.recovery.replace(tx, id, made);
        await this.tell(tx, id, 'recoveryCodesRenewed');
        return { codes: made.codes };
      },
      {
        store: () => ({}),
        // The codes are nowhere: a request that is repeated makes new ones again.
        restore: async (_stored, tx) => {
          const { id } = await lockAccount(tx, context.actor);
          await this.recovery.replace(tx, id, made);
          return { codes: made.codes };
        },
      },
    );
    return { recoveryCodes: stored.codes };
  }

  async beginPasskey(actor: Actor): Of<'beginPasskey'> {
    const account = await this.dataSource.manager.findOneBy(AccountEntity, { id: personOf(actor).accountId });
    if (!account) throw new DomainError('SESSION_ENDED');
    return { options: await this.passkeys.creationOptions(account) };
  }

  async addPasskey({ passkey, name }: InputOf<'addPasskey'>, context: RequestContext): Of<'addPasskey'> {
    const { accountId } = personOf(context.actor);
    const { value, recoveryCodes } = await this.addFactor(context, 'passkeyAdded', (tx) =>
      this.passkeys.add(tx, accountId, passkey, name.trim()),
    );
    return { passkey: value, recoveryCodes };
  }

  renamePasskey({ id, name }: InputOf<'renamePasskey'>, actor: Actor): Of<'renamePasskey'> {
    return this.passkeys.rename(personOf(actor).accountId, id, name.trim());
  }

  removePasskey(id: string, context: RequestContext): Of<'removePasskey'> {
    return this.changed(() =>
      this.inbox.once(context, async (tx) => {
        const account = await lockAccount(tx, context.actor);
        await this.passkeys.remove(tx, account.id, id);
        await this.afterRemoval(tx, account.id, 'passkeyRemoved');
        return { _id: id };
      }),
    );
  }

  /** A first factor brings recovery codes along; those that there are stay good. */
  private async addFactor<T>(
    context: RequestContext,
    what: SecondFactorChange,
    add: (tx: EntityManager) => Promise<T>,
  ): Promise<{ value: T; recoveryCodes: string[] | null }> {
    const made = await this.recovery.make(personOf(context.actor).accountId);
    return this.changed(() =>
      this.inbox.once<{ value: T; recoveryCodes: string[] | null }, { value: T }>(
        context,
        async (tx) => {
          const { id } = await lockAccount(tx, context.actor);
          const isFirst = (await this.factors.methodsOf(tx, id)).length === 0;
          const value = await add(tx);
          if (isFirst) await this.recovery.replace(tx, id, made);
          await this.tell(tx, id, what);
          return { value, recoveryCodes: isFirst ? made.codes : null };
        },
        // Codes are not stored: who lost the answer makes new ones.
        { store: ({ value }) => ({ value }), restore: ({ value }) => ({ value, recoveryCodes: null }) },
      ),
    );
  }

  /** Without a factor, recovery codes recover nothing. */
  private async afterRemoval(tx: EntityManager, accountId: string, what: SecondFactorChange): Promise<void> {
    const isLast = (await this.factors.methodsOf(tx, accountId)).length === 0;
    if (isLast) await tx.query(`DELETE FROM recovery_codes WHERE account_id = $1`, [accountId]);
    await this.tell(tx, accountId, what);
  }

  private async tell(tx: EntityManager, accountId: string, what: SecondFactorChange): Promise<void> {
    const account = await tx.findOneByOrFail(AccountEntity, { id: accountId });
    await this.mail.tell(tx, account, 'secondFactorChanged', { what });
  }

  /** Whether an admin may act can hang on it. */
  private async changed<T>(work: () => Promise<T>): Promise<T> {
    const result = await work();
    await this.announcer.tell(broadcasts.adminsChanged, {});
    return result;
  }

  private signInOnce(
    key: { requestId: string; fingerprint: string },
    work: (tx: EntityManager) => Promise<Grant>,
  ): Promise<Grant> {
    return this.inbox.once<Grant, { sessionId: string }>(key, work, {
      store: ({ sessionId }) => ({ sessionId }),
      restore: ({ sessionId }, tx) => this.sessions.grant(tx, sessionId),
    });
  }

  private toShow(secret: string, email: string): Output<typeof secondFactorContract.beginTotp> {
    const uri = totpUri(secret, { site: this.party.id, email });
    return { secret, uri, qr: qrPath(uri) };
  }
}

function alreadySetUp(): DomainError {
  return new DomainError(
    'INVALID_TRANSITION',
    {},
    'You already have an authenticator app. Remove it before you add another.',
  );
}

function fingerprintOf(command: string, what: string): string {
  return createHash('sha256')
    .update(JSON.stringify([command, what]))
    .digest('hex');
}
