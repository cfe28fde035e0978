import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  DomainError,
  type HandlerInputs,
  type Invoice,
  invoiceContract,
  type Output,
  type PageOf,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { type FileStorage, INVOICE_STORAGE, invoiceFileName } from '#libs/file-storage';
import { Handles, type RequestContext } from '#libs/transport';
import { InvoiceTaskRepository } from '../invoice-task/invoice-task.repository.js';
import { InvoiceFileRepository } from '../invoice-file/invoice-file.repository.js';
import { personOf } from '../access/person.js';
import { RecordAccess } from '../access/record-access.js';
import { VatIdService } from '../tax/vat-id.service.js';
import { InvoiceIssuingService } from './invoice-issuing.service.js';
import type { InvoiceEntity } from './invoice.entity.js';
import { InvoiceRepository } from './invoice.repository.js';
import { invoiceView } from './invoice.view.js';

type Input = HandlerInputs<typeof invoiceContract>;
type Result<Name extends keyof typeof invoiceContract> = Promise<Output<(typeof invoiceContract)[Name]>>;

@Injectable()
export class InvoiceService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: RecordAccess,
    private readonly invoices: InvoiceRepository,
    private readonly issuing: InvoiceIssuingService,
    private readonly tasks: InvoiceTaskRepository,
    private readonly vatIds: VatIdService,
    private readonly files: InvoiceFileRepository,
    @Inject(INVOICE_STORAGE) private readonly storage: FileStorage,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(invoiceContract.listInvoices)
  async list(
    { own, customer, ...request }: Input['listInvoices'],
    { actor }: RequestContext,
  ): Promise<PageOf<Invoice>> {
    const accountIds = await this.access.ownerIdsFor(personOf(actor), { own, customer });
    const page = await this.invoices.list({ ...request, ...(accountIds && { accountIds }) });
    return { ...page, items: await this.views(this.dataSource.manager, page.items) };
  }

  @Handles(invoiceContract.getInvoice)
  async get({ id }: Input['getInvoice'], { actor }: RequestContext): Promise<Invoice> {
    return this.view(await this.getVisible(id, actor));
  }

  @Handles(invoiceContract.getInvoiceFileState)
  async getFileState(
    { id }: Input['getInvoiceFileState'],
    { actor }: RequestContext,
  ): Result<'getInvoiceFileState'> {
    const { _id, number, file } = await this.view(await this.getVisible(id, actor));
    return { _id, number, file };
  }

  @Handles(invoiceContract.renderInvoice)
  renderAgain({ id }: Input['renderInvoice'], context: RequestContext): Result<'renderInvoice'> {
    return this.inbox.once(context, async (tx) => {
      await this.getVisible(id, context.actor, tx);
      await this.files.requestRenderingAgain(tx, id);
      return {};
    });
  }

  @Handles(invoiceContract.findInvoiceForMail)
  async findForMail({ orderId }: Input['findInvoiceForMail']): Result<'findInvoiceForMail'> {
    // The newest invoice may be credited in full, and the one that the mail is about not be issued yet.
    if (await this.tasks.hasOpenInvoice(orderId)) return null;
    const documents = await this.invoices.listOfOrder(this.dataSource.manager, orderId);
    const invoice = documents.findLast(({ kind }) => kind === 'invoice');
    const pdf = invoice && (await this.storage.findBytes(invoice.id, invoiceFileName));
    return pdf ? { number: invoice.document.number, pdf: pdf.toString('base64') } : null;
  }

  /** Throws NOT_FOUND; INVALID_TRANSITION for a credit note or a fully credited invoice. */
  @Handles(invoiceContract.correctInvoice)
  correct({ id, ...details }: Input['correctInvoice'], context: RequestContext): Result<'correctInvoice'> {
    return this.inbox.once(context, async (tx) => {
      const { cited, creditNote, invoice } = await this.issuing.correct(tx, id, details);
      const { number } = cited.document;
      await this.audit.record(tx, context.actor, {
        ...{ section: 'invoice', recordId: id, name: number, change: 'updated', before: {} },
        after: { creditNote: creditNote.document.number, invoice: invoice.document.number },
      });
      const [creditNoteView, newInvoiceView] = await this.views(tx, [creditNote, invoice]);
      return { creditNote: creditNoteView!, invoice: newInvoiceView! };
    });
  }

  private async getVisible(id: string, actor: Actor, tx?: EntityManager): Promise<InvoiceEntity> {
    const invoice = await this.invoices.find(id, tx);
    if (!invoice) throw new DomainError('NOT_FOUND');
    // Only for its check: throws NOT_FOUND if the actor may not see the invoice.
    await this.access.relationOf(personOf(actor), invoice.accountId, tx);
    return invoice;
  }

  private async view(invoice: InvoiceEntity): Promise<Invoice> {
    const [view] = await this.views(this.dataSource.manager, [invoice]);
    return view!;
  }

  private async views(manager: EntityManager, invoices: readonly InvoiceEntity[]): Promise<Invoice[]> {
    const ids = invoices.map(({ id }) => id);
    const credited = await this.invoices.findCreditedCents(manager, ids);
    const vatIds = invoices.map(({ document }) => document.buyer.vatId);
    const states = await this.vatIds.knownStates(manager, vatIds);
    const ready = await this.files.findReadyIds(manager, ids);
    return invoices.map((invoice) =>
      invoiceView(invoice, {
        file: ready.has(invoice.id) ? 'ready' : 'rendering',
        creditedCents: credited.get(invoice.id) ?? 0,
        vatIdState: states.get(invoice.document.buyer.vatId) ?? null,
      }),
    );
  }
}
