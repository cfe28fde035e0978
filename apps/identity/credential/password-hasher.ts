import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, hashRaw, parseOptions, verify } from '@node-rs/argon2';
import { FairQueue } from '#libs/platform';

export interface HashingOptions {
  /** How many are computed at once, and how many may wait. */
  concurrency: number;
  queueLimit: number;
  /** Memory of one computation in KiB, and passes over it: OWASP's Password Storage Cheat Sheet has 19 456 and 2. */
  memoryKiB: number;
  passes: number;
}

export interface VerificationTurn {
  before(): Promise<void>;
  after(verified: boolean): Promise<void>;
}

/** The package's `Algorithm.Argon2id`: a const enum, which a compiler of single files cannot read. */
const ARGON2ID = 2 satisfies Algorithm;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Argon2id. Each computation takes a thread of libuv's pool and a core for some ten milliseconds, so their number
 * is bounded (`FairQueue`): a flood of sign-ins waits, and nothing else does.
 *
 * Passwords are compared as Unicode NFC (NIST SP 800-63B-4, section 3.1.1.2): 'é' typed on two keyboards is one password.
 */
export class PasswordHasher {
  private readonly queue: FairQueue;
  private readonly nobodysHash: string;
  private computations = 0;

  constructor(private readonly options: HashingOptions) {
    this.queue = new FairQueue({
      atOnce: options.concurrency,
      mostWaiting: options.queueLimit,
      // Callers give up after 10 s.
      mostWaitMs: 5_000,
      retryAfterSeconds: 2,
    });
    this.nobodysHash = hashOfNothing(options);
  }

  /** How many hashes this process has computed: what an observer with a stopwatch would learn. */
  get computed(): number {
    return this.computations;
  }

  /** `requester`, whose share of the queue it takes, is a client's network, or an account's id where the client is not known. Throws OVERLOADED. */
  async hash(password: string, requester: string): Promise<string> {
    return this.queue.run(requester, () => {
      this.computations += 1;
      return hash(password.normalize('NFC'), this.parameters());
    });
  }

  /** The bare hash of a secret that we made, under a salt of the caller's: to be looked up by. Throws OVERLOADED. */
  async digest(secret: string, salt: Buffer, requester: string): Promise<Buffer> {
    return this.queue.run(requester, () => {
      this.computations += 1;
      return hashRaw(secret, { ...this.parameters(), salt });
    });
  }

  /**
   * Whether the password belongs to the hash. Without a hash (no such account, or one without a password) the
   * same work is done for nothing, so that the time taken tells nobody which addresses have an account.
   * `turn` is what must happen between one guess and the next: it shares the computation's place.
   * Throws OVERLOADED, and what `turn` throws.
   */
  async verify(
    passwordHash: string | null,
    password: string,
    requester: string,
    turn?: VerificationTurn,
  ): Promise<boolean> {
    return this.queue.run(requester, async () => {
      await turn?.before();
      this.computations += 1;
      const matches = await verify(passwordHash ?? this.nobodysHash, password.normalize('NFC'));
      const verified = matches && passwordHash !== null;
      await turn?.after(verified);
      return verified;
    });
  }

  /** Whether the hash was made with other parameters than today's. */
  isOutdated(passwordHash: string): boolean {
    const made = parseOptions(passwordHash);
    const wanted = this.parameters();
    return (
      made.algorithm !== wanted.algorithm ||
      made.memoryCost !== wanted.memoryCost ||
      made.timeCost !== wanted.timeCost ||
      made.parallelism !== wanted.parallelism
    );
  }

  private parameters() {
    return {
      algorithm: ARGON2ID,
      memoryCost: this.options.memoryKiB,
      timeCost: this.options.passes,
      parallelism: PARALLELISM,
      outputLen: HASH_BYTES,
    };
  }
}

/** A hash in PHC form that no password is known for: random salt, random result. */
export function hashOfNothing({ memoryKiB, passes }: Pick<HashingOptions, 'memoryKiB' | 'passes'>): string {
  const field = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${PARALLELISM}$${field(SALT_BYTES)}$${field(HASH_BYTES)}`;
}
