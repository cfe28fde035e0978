import { Injectable } from '@nestjs/common';
import { invoiceContract, system } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import type { LeasedMail } from './delivery.repository.js';
import type { Attachment } from './mime-message.js';

/** Short, because a mail that waits keeps others from being sent. */
const deadlineMs = 2_000;
/** A mail waits this long for its invoice. After that the mail is sent without the invoice; its text has a link to it. */
const waitMs = 600_000;

/** Fetches the invoices that are attached to mails. */
@Injectable()
export class InvoiceAttachmentService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** An empty list for most mails; null if the mail should wait, because its invoice is not ready. */
  async find({ template, params, createdAt }: LeasedMail): Promise<Attachment[] | null> {
    const { invoices: invoiceMode, orderId } = params;
    if (template !== 'orderPaid' || invoiceMode !== 'file' || typeof orderId !== 'string') return [];
    const found = await this.rpc
      .call(invoiceContract.getInvoiceForMail, { orderId }, { actor: system, deadlineMs })
      .catch(() => null);
    if (found) {
      const { number, pdf } = found;
      const filename = `${number.replaceAll('/', '-')}.pdf`;
      return [{ filename, content: Buffer.from(pdf, 'base64'), contentType: 'application/pdf' }];
    }
    return this.clock.now().getTime() - createdAt.getTime() > waitMs ? [] : null;
  }
}
