import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { SecretSealer } from '../core/secret-sealer.js';
import { generateSigningKey } from './generate-signing-key.js';
import type { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { publishRetiredSeconds } from './signing-key.service.js';

/**
 * How long a key is published, at least, before it signs. A gateway fetches the keys when a token names an unknown one, unless it fetched them less
 * than 5 s before, so a minute is enough.
 */
const publishBeforeSeconds = 60;
const daySeconds = 24 * 60 * 60;

/**
 * Replaces the signing key when it is old, or when an operator has published the next one (`npm run admin -- rotate-keys`). Replicas can do this at
 * the same time.
 */
@Injectable()
export class KeyRotationWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: SigningKeyRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async rotateIfDue(): Promise<void> {
    const now = this.clock.now();
    // Generated before the transaction, because generating a key takes a moment.
    const generated = (await this.seemsToNeedNext(now))
      ? await generateSigningKey('next', this.sealer, now)
      : undefined;
    await transaction(this.dataSource, async (tx) => {
      const keys = await this.keys.lockAll(tx);
      const current = keys.find(({ state }) => state === 'current');
      const next = keys.find(({ state }) => state === 'next');
      if (current && next && next.createdAt <= addSeconds(now, -publishBeforeSeconds)) {
        await this.keys.rotate(tx, current.kid, next.kid, now);
        this.logger.info(
          { signing: next.kid, retired: current.kid },
          'The next key is now current: within a minute, all replicas sign with it',
        );
      } else if (generated && !next && current && this.isOld(current, now)) {
        // Another replica or an operator may have published a key at the same moment.
        if (await this.keys.insert(tx, generated))
          this.logger.info({ kid: generated.kid }, 'The next key is published');
      }
      // A private key that is deleted cannot be stolen.
      await this.keys.deleteRetired(tx, addSeconds(now, -publishRetiredSeconds));
    });
  }

  /** Without a lock: another replica may publish a key in the meantime. */
  private async seemsToNeedNext(now: Date): Promise<boolean> {
    const current = await this.keys.findCurrent();
    return current !== null && this.isOld(current, now) && !(await this.keys.hasNext());
  }

  private isOld({ createdAt }: SigningKeyEntity, now: Date): boolean {
    return createdAt <= addSeconds(now, -this.config.KEY_ROTATION_DAYS * daySeconds);
  }
}
