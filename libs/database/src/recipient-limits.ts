import type { EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './database.options.js';

/** At most `count` mails within `seconds`: of this kind, or of all kinds together. */
export interface MailLimit {
  of: 'this kind' | 'all kinds';
  count: number;
  seconds: number;
}

export interface MailCounter {
  /**
   * Mails with one key are counted together. The key is a mailbox (`mailboxOf`), the account that causes the mails, or a constant for a kind. The
   * column `recipient_hash` has the key's hash, even if the key is not a recipient.
   */
  key: string;
  limits: readonly MailLimit[];
}

const daySeconds = 24 * 60 * 60;
/** No limit may look back further. */
export const recipientMailsKeptSeconds = 90 * daySeconds;

/**
 * Limits the mails to a mailbox, the mails that an account causes, and all mails of a kind, so that nobody can flood other people with mails. Counts
 * outlive accounts, so deleting and registering again gains nothing. Only keyed hashes of addresses are stored, because their owners may never have
 * used the site.
 */
export class RecipientLimits {
  /**
   * Counts a mail and returns 0; or, if a limit is reached, counts nothing and returns the seconds until a mail may be sent. Transactions that count
   * mails with the same key run one after another. Pass the mailbox's counter first: transactions that lock keys in different orders can deadlock.
   */
  async countMail(
    tx: EntityManager,
    kind: string,
    counters: readonly MailCounter[],
    now: Date,
  ): Promise<number> {
    const hashed: HashedCounter[] = [];
    for (const { key, limits } of counters) hashed.push({ hash: await hashOf(tx, key), limits });
    // Without locks at first: in a flood, most mails are over a limit and need not wait for one another.
    const waitSeconds = await longestWaitSeconds(tx, kind, hashed, now);
    if (waitSeconds > 0) return waitSeconds;
    for (const { key } of counters) await lock(tx, key);
    const waitAfterOthers = await longestWaitSeconds(tx, kind, hashed, now);
    if (waitAfterOthers > 0) return waitAfterOthers;
    await tx.sql`
      INSERT INTO recipient_mails (recipient_hash, kind, sent_at)
      SELECT unnest(${hashed.map(({ hash }) => hash)}::bytea[]), ${kind}, ${now}`;
    return 0;
  }

  /** Deletes the counts of this key for this kind of mail. Call it when the mailbox's owner has confirmed that they want these mails. */
  async deleteCounts(tx: EntityManager, kind: string, key: string): Promise<void> {
    await lock(tx, key);
    const hash = await hashOf(tx, key);
    await tx.sql`DELETE FROM recipient_mails WHERE recipient_hash = ${hash} AND kind = ${kind}`;
  }

  /** Deletes the counts that are too old for any limit. */
  async deleteOldCounts(manager: EntityManager): Promise<void> {
    await manager.sql`
      DELETE FROM recipient_mails WHERE sent_at < now() - ${recipientMailsKeptSeconds} * interval '1 second'`;
  }
}

interface HashedCounter extends Pick<MailCounter, 'limits'> {
  hash: Buffer;
}

interface SentMail {
  kind: string;
  sent_at: Date;
}

/** Seconds until the limit permits another mail of this kind; 0 or less if it does now. `sent` is newest first. */
function waitSecondsOf({ of, count, seconds }: MailLimit, kind: string, sent: SentMail[], now: Date): number {
  const counted = of === 'all kinds' ? sent : sent.filter((mail) => mail.kind === kind);
  const decisive = counted[count - 1];
  return decisive ? Math.ceil((decisive.sent_at.getTime() - now.getTime()) / 1000 + seconds) : 0;
}

/** 0 if every limit permits another mail now. */
async function longestWaitSeconds(
  tx: EntityManager,
  kind: string,
  counters: readonly HashedCounter[],
  now: Date,
): Promise<number> {
  let waitSeconds = 0;
  for (const { hash, limits } of counters) {
    const longest = Math.max(...limits.map(({ seconds }) => seconds));
    const sent = await tx.sql<SentMail[]>`
      SELECT kind, sent_at FROM recipient_mails
      WHERE recipient_hash = ${hash} AND sent_at > ${now}::timestamptz - ${longest} * interval '1 second'
      ORDER BY sent_at DESC`;
    waitSeconds = Math.max(waitSeconds, ...limits.map((limit) => waitSecondsOf(limit, kind, sent, now)));
  }
  return waitSeconds;
}

async function lock(tx: EntityManager, key: string): Promise<void> {
  await tx.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`recipient mails of ${key}`}, 0))`;
}

async function hashOf(tx: EntityManager, key: string): Promise<Buffer> {
  const [row] = await tx.sql<[{ hash: Buffer }]>`
    SELECT sha256(secret || convert_to(${key}, 'UTF8')) AS hash FROM recipient_mails_secret`;
  return row.hash;
}

/**
 * The mailbox that an address most likely leads to: without letter case, without a tag after a plus (RFC 5233), at Gmail without dots. For counting
 * only, not for sending.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const local = email.slice(0, at).toLowerCase();
  const name = local.split('+')[0] || local;
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

class CreateRecipientMails implements MigrationInterface {
  readonly name = 'CreateRecipientMails1768000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE recipient_mails (
        recipient_hash bytea NOT NULL,
        kind text NOT NULL,
        sent_at timestamptz(3) NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX recipient_mails_by_recipient ON recipient_mails (recipient_hash, sent_at)`,
    );
    await runner.query(`CREATE INDEX recipient_mails_by_time ON recipient_mails (sent_at)`);
    // Each database has its own secret, so its hashes cannot be looked up in a precomputed list or compared with another database's.
    await runner.query(`CREATE TABLE recipient_mails_secret (secret bytea NOT NULL)`);
    await runner.query(
      `INSERT INTO recipient_mails_secret
       SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE recipient_mails, recipient_mails_secret`);
  }
}

/** Part of the migrations of a service that limits mails. */
export const recipientLimitsMigrations: MigrationClass[] = [CreateRecipientMails];
