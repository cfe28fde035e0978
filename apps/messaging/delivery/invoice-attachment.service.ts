import { Injectable } from '@nestjs/common';
import { invoiceContract, system } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import type { LeasedMail } from './delivery.repository.js';
import type { Attachment } from './mime-message.js';

/** Short, because the mail takes up one of the `MAIL_CONCURRENCY` places during the call. */
const deadlineMs = 2_000;
/** This long after it was queued, the mail is sent without the file; its text links to the list of invoices. */
const longestWaitMs = 600_000;

@Injectable()
export class InvoiceAttachmentService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Null if the mail should wait for its invoice. Empty if it needs none, or has waited too long. */
  async getIfReady({ template, params, createdAt }: LeasedMail): Promise<Attachment[] | null> {
    const { invoices: invoiceMode, orderId } = params;
    if (template !== 'orderPaid' || invoiceMode !== 'file' || typeof orderId !== 'string') return [];
    const invoice = await this.rpc
      .call(invoiceContract.findInvoiceForMail, { orderId }, { actor: system, deadlineMs })
      .catch(() => null);
    if (invoice) {
      const { number, pdf } = invoice;
      const filename = `${number.replaceAll('/', '-')}.pdf`;
      return [{ filename, content: Buffer.from(pdf, 'base64'), contentType: 'application/pdf' }];
    }
    return this.clock.now().getTime() - createdAt.getTime() > longestWaitMs ? [] : null;
  }
}
