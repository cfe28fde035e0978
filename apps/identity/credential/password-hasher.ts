import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, hashRaw, parseOptions, verify } from '@node-rs/argon2';
import { FairQueue } from '#libs/platform';

/** OWASP's Password Storage Cheat Sheet recommends at least 19 456 KiB and 2 passes. */
export interface HashingCost {
  memoryKiB: number;
  passes: number;
}

export interface HashingOptions extends HashingCost {
  /** How many hashes are computed at the same time, and how many may wait. */
  concurrency: number;
  queueLimit: number;
}

/** Run right before and right after the computation, not when the verification joins the queue. */
export interface VerificationHooks {
  before(): Promise<void>;
  after(verified: boolean): Promise<void>;
}

/** `Algorithm` is a const enum, and those cannot be imported when files are compiled one by one. */
const argon2id = 2 satisfies Algorithm;
const parallelism = 1;
const saltBytes = 16;
const hashBytes = 32;

/**
 * Hashes with argon2id. Each computation occupies a thread of libuv's pool and a core for ten milliseconds or more. A `FairQueue` bounds their
 * number, so that a flood of sign-ins delays only calls that need a hash.
 *
 * Passwords are compared as Unicode NFC (NIST SP 800-63B-4, section 3.1.1.2): 'é' typed on two keyboards is one password.
 */
export class PasswordHasher {
  private readonly queue: FairQueue;
  private readonly dummyHash: string;
  private computations = 0;

  constructor(private readonly options: HashingOptions) {
    this.queue = new FairQueue({
      concurrency: options.concurrency,
      maxWaitingSize: options.queueLimit,
      // Callers give up after 10 s.
      maxWaitMs: 5_000,
      retryAfterSeconds: 2,
    });
    this.dummyHash = createDummyHash(options);
  }

  /** Lets tests check that calls do equal work with and without an account, because an attacker can measure how long a call takes. */
  get computationCount(): number {
    return this.computations;
  }

  /** `requester`, such as a client network or an account's id, takes turns with others in the queue. Throws OVERLOADED. */
  async hash(password: string, requester: string): Promise<string> {
    return this.queue.run(requester, () => {
      this.computations += 1;
      return hash(password.normalize('NFC'), this.parameters());
    });
  }

  /** The cost of new hashes. */
  get cost(): HashingCost {
    const { memoryKiB, passes } = this.options;
    return { memoryKiB, passes };
  }

  /** The raw hash by which a generated secret, such as a recovery code, can be looked up. Throws OVERLOADED. */
  async digest(
    secret: string,
    { salt, cost }: { salt: Buffer; cost: HashingCost },
    requester: string,
  ): Promise<Buffer> {
    return this.queue.run(requester, () => {
      this.computations += 1;
      return hashRaw(secret, { ...this.parameters(cost), salt });
    });
  }

  /**
   * Without a hash (no such account, or one without a password) the same work is done, so that timing does not reveal which addresses have an
   * account. Throws OVERLOADED, and what the hooks throw.
   */
  async verify(
    passwordHash: string | null,
    password: string,
    requester: string,
    hooks?: VerificationHooks,
  ): Promise<boolean> {
    return this.queue.run(requester, async () => {
      await hooks?.before();
      this.computations += 1;
      const matches = await verify(passwordHash ?? this.dummyHash, password.normalize('NFC'));
      const verified = matches && passwordHash !== null;
      await hooks?.after(verified);
      return verified;
    });
  }

  /** Whether the hash has other parameters than today's. */
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

  private parameters({ memoryKiB, passes }: HashingCost = this.options) {
    return {
      algorithm: argon2id,
      memoryCost: memoryKiB,
      timeCost: passes,
      parallelism,
      outputLen: hashBytes,
    };
  }
}

/** In PHC format; no password is known for it. */
export function createDummyHash({ memoryKiB, passes }: HashingCost): string {
  const field = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${field(saltBytes)}$${field(hashBytes)}`;
}
