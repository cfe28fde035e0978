import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type Actor,
  DomainError,
  type HandlerInputs,
  paymentReceiverChanged,
  paypalContract,
  type PaypalEmail,
} from '#libs/contracts';
import { AuditTrail, Inbox, isUniqueViolation, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { PaypalEmailEntity } from './paypal-email.entity.js';

const singleton = 'paypal_email_singleton';

type Input = HandlerInputs<typeof paypalContract>;

/** The PayPal account that receives payments: one record, never deleted. */
@Injectable()
export class PaypalEmailService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** The address in this transaction; null while none is set. */
  async current(tx: EntityManager): Promise<string | null> {
    const [record] = await tx.find(PaypalEmailEntity, { take: 1 });
    return record?.paypalEmail ?? null;
  }

  /** Zero or one. */
  @Handles(paypalContract.listPaypalEmail)
  async list(): Promise<PaypalEmail[]> {
    return (await this.dataSource.manager.find(PaypalEmailEntity)).map(view);
  }

  @Handles(paypalContract.getPaypalEmail)
  async item({ id }: { id: string }): Promise<PaypalEmail> {
    const record = isUuid(id) ? await this.dataSource.manager.findOneBy(PaypalEmailEntity, { id }) : null;
    if (!record) throw new DomainError('NOT_FOUND');
    return view(record);
  }

  /** Sets the address if none is set. Not recorded in the audit log, because no person does it. */
  async addUnlessSet(paypalEmail: string): Promise<void> {
    // Without this check, every start but the first would log an error in Postgres.
    if ((await this.current(this.dataSource.manager)) !== null) return;
    try {
      await this.dataSource.manager.insert(PaypalEmailEntity, newRecord(paypalEmail, this.clock.now()));
    } catch (error) {
      if (!isUniqueViolation(error, singleton)) throw error;
    }
  }

  /** Throws SINGLETON_EXISTS, also for the slower of two concurrent calls. */
  @Handles(paypalContract.createPaypalEmail)
  async add(body: Input['createPaypalEmail'], context: RequestContext): Promise<PaypalEmail> {
    try {
      return await this.inbox.once(context, async (tx) => {
        const record = newRecord(body.paypalEmail, this.clock.now());
        await tx.insert(PaypalEmailEntity, record);
        await this.audit.record(tx, context.actor, {
          ...audited(record),
          change: 'created',
          before: null,
          after: body,
        });
        await this.announce(tx, context.actor, record, null);
        return view(record);
      });
    } catch (error) {
      throw isUniqueViolation(error, singleton) ? new DomainError('SINGLETON_EXISTS') : error;
    }
  }

  @Handles(paypalContract.updatePaypalEmail)
  update({ id, ifVersion, ...body }: Input['updatePaypalEmail'], context: RequestContext) {
    return this.inbox.once(context, async (tx) => {
      const record = isUuid(id)
        ? await tx.findOne(PaypalEmailEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
        : null;
      if (!record) throw new DomainError('NOT_FOUND');
      if (ifVersion !== undefined && ifVersion !== record.version) {
        throw new DomainError('VERSION_MISMATCH', { current: view(record) });
      }
      if (record.paypalEmail === body.paypalEmail) return { record: view(record), modified: false };
      const before = { paypalEmail: record.paypalEmail };
      record.paypalEmail = body.paypalEmail;
      record.version += 1;
      record.updatedAt = this.clock.now();
      await tx.save(record);
      await this.audit.record(tx, context.actor, {
        ...audited(record),
        change: 'updated',
        before,
        after: body,
      });
      await this.announce(tx, context.actor, record, before.paypalEmail);
      return { record: view(record), modified: true };
    });
  }

  private async announce(
    tx: EntityManager,
    actor: Actor,
    { paypalEmail: receiver }: PaypalEmailEntity,
    formerReceiver: string | null,
  ): Promise<void> {
    if (!('email' in actor)) return;
    await this.outbox.append(tx, paymentReceiverChanged, { receiver, formerReceiver, by: actor.email });
  }
}

function newRecord(paypalEmail: string, now: Date): PaypalEmailEntity {
  const times = { createdAt: now, updatedAt: now };
  return Object.assign(new PaypalEmailEntity(), { id: uuidv7(), paypalEmail, version: 1, ...times });
}

function audited({ id, paypalEmail }: PaypalEmailEntity) {
  return { section: 'paypalEmail', recordId: id, name: paypalEmail };
}

function view({ id, paypalEmail, createdAt, updatedAt, version }: PaypalEmailEntity): PaypalEmail {
  return {
    _id: id,
    paypalEmail,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    version,
  };
}
