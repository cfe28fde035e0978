import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  DomainError,
  type HandlerInputs,
  paymentReceiverChanged,
  paypalEmailContract,
  type PaypalEmail,
} from '#libs/contracts';
import { AuditTrail, Inbox, isUniqueViolation, Outbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import type { PaypalEmailEntity } from './paypal-email.entity.js';
import { PaypalEmailRepository } from './paypal-email.repository.js';

const singletonConstraint = 'paypal_email_singleton';

type Input = HandlerInputs<typeof paypalEmailContract>;

/** At most one record, which is never deleted. */
@Injectable()
export class PaypalEmailService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly emails: PaypalEmailRepository,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
  ) {}

  async findAddress(tx: EntityManager): Promise<string | null> {
    const record = await this.emails.findCurrent(tx);
    return record?.paypalEmail ?? null;
  }

  async findRecordId(): Promise<string | null> {
    const record = await this.emails.findCurrent();
    return record?.id ?? null;
  }

  @Handles(paypalEmailContract.listPaypalEmail)
  async list(): Promise<PaypalEmail[]> {
    const record = await this.emails.findCurrent();
    return record ? [view(record)] : [];
  }

  @Handles(paypalEmailContract.getPaypalEmail)
  async get({ id }: { id: string }): Promise<PaypalEmail> {
    return view(await this.emails.get(id));
  }

  /** For the demo address. Not recorded in the audit log, because no person adds it. */
  async addUnlessSet(paypalEmail: string): Promise<void> {
    // Without this check, every start but the first would log an error in Postgres.
    if (await this.emails.findCurrent()) return;
    try {
      await this.emails.insert(this.dataSource.manager, this.emails.make({ paypalEmail }));
    } catch (error) {
      if (!isUniqueViolation(error, singletonConstraint)) throw error;
    }
  }

  /** Throws SINGLETON_EXISTS if there is a record already. Of two concurrent calls, the slower one throws it. */
  @Handles(paypalEmailContract.createPaypalEmail)
  async add(body: Input['createPaypalEmail'], context: RequestContext): Promise<PaypalEmail> {
    try {
      return await this.inbox.once(context, async (tx) => {
        const record = this.emails.make(body);
        await this.emails.insert(tx, record);
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
      throw isUniqueViolation(error, singletonConstraint) ? new DomainError('SINGLETON_EXISTS') : error;
    }
  }

  @Handles(paypalEmailContract.updatePaypalEmail)
  update({ id, ifVersion, ...body }: Input['updatePaypalEmail'], context: RequestContext) {
    return this.inbox.once(context, async (tx) => {
      const record = await this.emails.lock(tx, { id, ifVersion }, view);
      if (record.paypalEmail === body.paypalEmail) return { record: view(record), modified: false };
      const before = { paypalEmail: record.paypalEmail };
      await this.emails.update(tx, record, body);
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

  /** Announces only changes by a person, because the event contains the person's address. */
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
