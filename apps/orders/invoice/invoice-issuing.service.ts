import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, type InvoiceDocument, type VatIdState } from '#libs/contracts';
import { pauseAfter, transaction, uuidv7 } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { xmlOf } from '../invoice-file/invoice-xml.js';
import { InvoiceFileRepository } from '../invoice-file/invoice-file.repository.js';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';
import type { InvoiceTaskEntity } from '../invoice-task/invoice-task.entity.js';
import { InvoiceTaskRepository } from '../invoice-task/invoice-task.repository.js';
import type { OrderEntity } from '../order/order.entity.js';
import { OrderRepository } from '../order/order.repository.js';
import { BillingClock } from '../payment/billing-clock.js';
import { SellerService } from '../site/seller.service.js';
import { chargeDate } from '../subscription/billing-dates.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { normalizedVatId } from '../tax/vat-id.js';
import { VatIdService } from '../tax/vat-id.service.js';
import { OrderTimelineRepository } from '../timeline/order-timeline.repository.js';
import {
  type Buyer,
  buyerOf,
  creditNoteDraft,
  type Draft,
  invoiceDraft,
  type Issuer,
  type Occasion,
  paymentOf,
} from './invoice-document.js';
import { dayBefore, dayIn, numberOf, seriesOf } from './invoice-number.js';
import { InvoiceEntity } from './invoice.entity.js';
import { InvoiceRepository } from './invoice.repository.js';

/** Few enough that a process that shuts down ends soon. */
const maxTasksPerPass = 250;
const retryPauses = { firstRetryMs: 2_000, longestRetryMs: 600_000 };

interface OpenInvoice {
  invoice: InvoiceEntity;
  creditedCents: number;
  openCents: number;
}

/** Each task is one short transaction: even if the process is killed, all documents of the task are issued or none. */
@Injectable()
export class InvoiceIssuingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: InvoiceTaskRepository,
    private readonly settings: InvoiceSettingsRepository,
    private readonly invoices: InvoiceRepository,
    private readonly files: InvoiceFileRepository,
    private readonly orders: OrderRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly timeline: OrderTimelineRepository,
    private readonly sellers: SellerService,
    private readonly vatIds: VatIdService,
    private readonly billing: BillingClock,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async issueDue(): Promise<void> {
    for (let done = 0; done < maxTasksPerPass; done += 1) if (!(await this.issueNext())) return;
  }

  /** Returns false if no task is due. A task that fails is tried again, and the later tasks of its order wait for it. */
  private async issueNext(): Promise<boolean> {
    let task: InvoiceTaskEntity | null = null;
    try {
      await transaction(this.dataSource, async (tx) => {
        task = await this.tasks.lockNextDue(tx);
        if (task) await this.perform(tx, task);
      });
    } catch (error) {
      const failed = task as InvoiceTaskEntity | null;
      if (!failed) throw error;
      await this.tasks.postpone(failed, pauseAfter(failed.tries + 1, retryPauses));
      this.logger.error(
        { err: error, orderId: failed.orderId },
        'A document could not be issued; will retry',
      );
    }
    // The check is queued after the transaction, so that documents with the same VAT ID do not wait for each other. Its result applies to later
    // documents.
    const { vatId } = (task as InvoiceTaskEntity | null)?.buyer?.billing ?? {};
    if (vatId) await this.vatIds.readStateAndQueueCheck(vatId);
    return task !== null;
  }

  private async perform(tx: EntityManager, task: InvoiceTaskEntity): Promise<void> {
    const order = (await this.orders.lock(tx, task.orderId))!;
    const issuer = await this.issuerOf(tx, order);
    await this.tasks.finish(tx, task);
    if (task.cents < 0) await this.issueCreditNotes(tx, order, issuer, task);
    else await this.issueInvoice(tx, order, issuer, task);
  }

  private async issueInvoice(
    tx: EntityManager,
    order: OrderEntity,
    issuer: Issuer,
    task: InvoiceTaskEntity,
  ): Promise<void> {
    if (task.cause === 'dispute_closed') {
      await this.issueInvoiceAfterDispute(tx, order, issuer, task);
      return;
    }
    const buyer = buyerOf(task.buyer!, issuer.settings);
    const draft = invoiceDraft(
      issuer,
      {
        ...{ buyer, vatIdState: await this.vatIdStateOf(tx, buyer) },
        ...{ grossCents: task.cents, day: this.today(issuer) },
        order: { number: order.number, placedOn: order.orderDate },
        item: { name: order.packageName, period: await this.periodOf(tx, order, issuer, task) },
      },
      { cause: task.cause, payment: paymentOf(task.moneyMovement, issuer.settings), cites: null },
    );
    await this.issue(tx, order, issuer, draft, { taskId: task.id });
  }

  /** Invoices only what the dispute's credit notes took back. That is nothing if the dispute began before invoices were set up. */
  private async issueInvoiceAfterDispute(
    tx: EntityManager,
    order: OrderEntity,
    issuer: Issuer,
    { id: taskId, cents, cause, moneyMovement }: InvoiceTaskEntity,
  ): Promise<void> {
    const documents = await this.invoices.listOfOrder(tx, order.id);
    const causedBy = (wanted: InvoiceDocument['cause']) =>
      documents.filter(({ document }) => document.cause === wanted);
    const sumOf = (found: InvoiceEntity[]) => found.reduce((sum, { grossCents }) => sum + grossCents, 0);
    const grossCents = Math.min(cents, sumOf(causedBy('dispute')) - sumOf(causedBy('dispute_closed')));
    if (grossCents === 0) return;
    const { citesId } = causedBy('dispute').at(-1)!;
    const disputed = documents.find(({ id }) => id === citesId)!;
    const draft = await this.draftAgain(tx, issuer, disputed, {
      ...{ grossCents, buyer: disputed.document.buyer },
      occasion: { cause, payment: paymentOf(moneyMovement, issuer.settings), cites: null },
    });
    await this.issue(tx, order, issuer, draft, { taskId, citesId });
  }

  /** An invoice for the same item, at the tax rates of the day on which the item was first invoiced. */
  private async draftAgain(
    tx: EntityManager,
    issuer: Issuer,
    invoice: InvoiceEntity,
    { buyer, grossCents, occasion }: { buyer: Buyer; grossCents: number; occasion: Occasion },
  ): Promise<Draft> {
    let first = invoice;
    while (first.citesId !== null) first = (await this.invoices.find(first.citesId, tx))!;
    const { order, item } = invoice.document;
    const vatIdState = await this.vatIdStateOf(tx, buyer);
    return invoiceDraft(
      issuer,
      { order, item, buyer, vatIdState, grossCents, day: first.issuedOn },
      occasion,
    );
  }

  /** Credits the newest invoices first. Money that was paid before invoices were set up needs no credit note. */
  private async issueCreditNotes(
    tx: EntityManager,
    order: OrderEntity,
    issuer: Issuer,
    { id: taskId, cents, cause, moneyMovement }: InvoiceTaskEntity,
  ): Promise<void> {
    const payment = paymentOf(moneyMovement, issuer.settings);
    let left = -cents;
    for (const open of (await this.listOpenInvoices(tx, order)).reverse()) {
      const part = Math.min(left, open.openCents);
      if (part === 0) break;
      await this.issueCreditNote(tx, order, issuer, open, part, { taskId, cause, payment });
      left -= part;
    }
  }

  /**
   * Credits the open amount of an invoice and invoices it again, in the caller's transaction. Throws NOT_FOUND; INVALID_TRANSITION for a credit note
   * or a fully credited invoice.
   */
  async correct(tx: EntityManager, id: string, details: Partial<Buyer>) {
    const cited = await this.invoices.find(id, tx);
    if (!cited) throw new DomainError('NOT_FOUND');
    const order = (await this.orders.lock(tx, cited.orderId))!;
    const open = (await this.listOpenInvoices(tx, order)).find(({ invoice }) => invoice.id === id);
    if (!open) throw new DomainError('INVALID_TRANSITION');
    const issuer = await this.issuerOf(tx, order);
    const { document } = cited;
    const creditNote = await this.issueCreditNote(tx, order, issuer, open, open.openCents, {
      ...{ taskId: null, cause: 'correction', payment: null },
    });
    const draft = await this.draftAgain(tx, issuer, cited, {
      ...{ grossCents: open.openCents, buyer: correctedBuyer(document.buyer, details) },
      occasion: {
        ...{ cause: 'correction', payment: document.payment },
        cites: { number: document.number, issuedOn: document.issuedOn },
      },
    });
    const invoice = await this.issue(tx, order, issuer, draft, { taskId: null, citesId: id });
    return { cited, creditNote, invoice };
  }

  private issueCreditNote(
    tx: EntityManager,
    order: OrderEntity,
    issuer: Issuer,
    { invoice, creditedCents }: OpenInvoice,
    cents: number,
    { taskId, ...occasion }: { taskId: number | null } & Pick<Draft, 'cause' | 'payment'>,
  ): Promise<InvoiceEntity> {
    const draft = creditNoteDraft(issuer, invoice.document, { creditedCents, cents }, occasion);
    return this.issue(tx, order, issuer, draft, { taskId, citesId: invoice.id });
  }

  /** Nothing that takes time may follow in the transaction, because other transactions wait for the next number. */
  private async issue(
    tx: EntityManager,
    order: OrderEntity,
    issuer: Issuer,
    draft: Draft,
    { taskId, citesId = null }: { taskId: number | null; citesId?: string | null },
  ): Promise<InvoiceEntity> {
    // Throws if the document breaks a rule: once stored, it can never be changed.
    xmlOf({ ...draft, number: '-', issuedOn: this.today(issuer) });
    const series = seriesOf(draft.kind, draft.buyer);
    const taken = await this.invoices.takeNumber(tx, series, this.today(issuer));
    const number = numberOf(series, issuer.settings, taken);
    const document: InvoiceDocument = { ...draft, number, issuedOn: taken.issuedOn };
    const invoice = Object.assign(new InvoiceEntity(), {
      ...{ id: uuidv7(), series, ...taken, issuedAt: this.clock.now(), orderId: order.id, taskId, citesId },
      ...{ accountId: order.accountId, document, kind: draft.kind, grossCents: draft.grossCents },
    });
    await this.invoices.insert(tx, invoice);
    await this.files.requestRendering(tx, invoice.id);
    const text = `${draft.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number} was issued.`;
    const entry = { kind: 'invoice', text, by: null, evidence: { invoiceId: invoice.id } } as const;
    await this.timeline.append(tx, order.id, [entry]);
    return invoice;
  }

  /** Oldest first. */
  private async listOpenInvoices(tx: EntityManager, { id }: OrderEntity): Promise<OpenInvoice[]> {
    const documents = await this.invoices.listOfOrder(tx, id);
    const credited = await this.invoices.findCreditedCents(
      tx,
      documents.map(({ id: one }) => one),
    );
    return documents
      .filter(({ kind }) => kind === 'invoice')
      .map((invoice) => {
        const creditedCents = credited.get(invoice.id) ?? 0;
        return { invoice, creditedCents, openCents: invoice.grossCents - creditedCents };
      })
      .filter(({ openCents }) => openCents > 0);
  }

  /** Locks the settings: saving them waits until the transaction ends, because it compares the new prefixes with those of stored documents. */
  private async issuerOf(tx: EntityManager, { seller }: OrderEntity): Promise<Issuer> {
    const { settings } = (await this.settings.lockForDocument(tx))!;
    const site = seller ?? (await this.sellers.currentName(tx)) ?? settings.name;
    return { settings, site, logo: await this.sellers.currentLogo(tx) };
  }

  private async vatIdStateOf(tx: EntityManager, { vatId }: Buyer): Promise<VatIdState | null> {
    return (await this.vatIds.knownStates(tx, [vatId])).get(vatId) ?? null;
  }

  private today({ settings }: Issuer): string {
    return dayIn(settings.timeZone, this.billing.now());
  }

  /** The period ends on the day before the next charge. */
  private async periodOf(
    tx: EntityManager,
    { cycle, subscriptionId }: OrderEntity,
    { settings: { timeZone } }: Issuer,
    { moneyMovement }: InvoiceTaskEntity,
  ): Promise<Draft['item']['period']> {
    if (cycle === null || subscriptionId === null || moneyMovement === null) return null;
    const charged = new Date(moneyMovement.at);
    const startedAt = (await this.subscriptions.findStartedAt(tx, subscriptionId)) ?? charged;
    const next = chargeDate(charged, 1, startedAt.getUTCDate());
    return { from: dayIn(timeZone, charged), to: dayBefore(dayIn(timeZone, next)) };
  }
}

/** An empty country keeps the old one, because a buyer must have a country. */
function correctedBuyer(buyer: Buyer, { countryCode, vatId, ...details }: Partial<Buyer>): Buyer {
  return {
    ...{ ...buyer, ...details, countryCode: countryCode || buyer.countryCode },
    vatId: normalizedVatId(vatId ?? buyer.vatId),
  };
}
