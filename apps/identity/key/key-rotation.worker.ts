import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import { Clock, secondsAfter } from '../clock.js';
import { newSigningKey, offerKey } from './new-signing-key.js';
import { SecretSealer } from '../core/secret-sealer.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { PUBLISH_RETIRED_SECONDS } from './signing-key.service.js';

const EVERY_MS = 30_000;
/** A gateway asks again for keys it does not know after 5 s at the latest: by now every one has been able to hear of it. */
const PUBLISH_BEFORE_SECONDS = 60;
const DAY = 24 * 60 * 60;

/** `KEY_ROTATION_DAYS`. */
export class RotationConfig {
  constructor(readonly days: number) {}
}

/**
 * Replaces the signing key when it is old, or when an operator asks for it (`npm run admin -- rotate-keys`), and signs nobody out: the next key
 * is published before it signs, and the one before until its last token has expired. Replicas may do this at once.
 */
@Injectable()
export class KeyRotationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyRotationWorker.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
    private readonly config: RotationConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.step())
        .catch((error: unknown) => {
          // The next round tries again.
          this.logger.warn(`Rotating keys failed: ${error instanceof Error ? error.message : error}`);
        });
    }, EVERY_MS);
    this.timer.unref();
  }

  /** The pool closes after this: what is in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Whatever is due now: a next key, its turn, or the end of one that nobody needs any more. */
  async step(): Promise<void> {
    const now = this.clock.now();
    // Made before the transaction: it takes a moment of computing.
    const coming = (await this.isDue(now)) ? await newSigningKey('next', this.sealer, now) : undefined;
    await transaction(this.dataSource, async (tx) => {
      const keys = await tx.find(SigningKeyEntity, { lock: { mode: 'pessimistic_write' } });
      const current = keys.find(({ state }) => state === 'current');
      const next = keys.find(({ state }) => state === 'next');
      if (current && next && next.createdAt <= secondsAfter(now, -PUBLISH_BEFORE_SECONDS)) {
        await tx.update(SigningKeyEntity, current.kid, { state: 'retired', retiredAt: now });
        await tx.update(SigningKeyEntity, next.kid, { state: 'current' });
        this.logger.log(`Key ${next.kid} signs now, ${current.kid} no more`);
      } else if (coming && !next) {
        await offerKey(tx, coming);
        this.logger.log(`Key ${coming.kid} is published, and will sign`);
      }
      // A private key that can do nothing any more is only there to be stolen.
      await tx.query(`DELETE FROM signing_keys WHERE state = 'retired' AND retired_at <= $1`, [
        secondsAfter(now, -PUBLISH_RETIRED_SECONDS),
      ]);
    });
  }

  private async isDue(now: Date): Promise<boolean> {
    const { keys } = this;
    const current = await keys.findOneBy({ state: 'current' });
    if (!current || current.createdAt > secondsAfter(now, -this.config.days * DAY)) return false;
    return !(await keys.existsBy({ state: 'next' }));
  }

  private get keys() {
    return this.dataSource.getRepository(SigningKeyEntity);
  }
}
