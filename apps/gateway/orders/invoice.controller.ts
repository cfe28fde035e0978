import { Inject } from '@nestjs/common';
import { DomainError, invoiceContract, invoiceOperations, type OperationInputs } from '#libs/contracts';
import { type FileStorage, INVOICE_STORAGE, invoiceFileName } from '#libs/file-storage';
import { utcDay } from '#libs/runtime';
import { type CallOptions, RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { invoiceColumns } from './invoice.csv.js';
import { zipStream } from './zip-stream.js';

type Input = OperationInputs<typeof invoiceOperations>;

/** Seconds until a PDF that is being rendered is probably ready. */
const retryAfterSeconds = 2;
const maxDocumentsOfMonth = 5_000;
const documentsPerPage = 500;

@Serves(invoiceOperations)
export class InvoiceController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
    @Inject(INVOICE_STORAGE) private readonly storage: FileStorage,
  ) {}

  async previewInvoice(settings: Input['previewInvoice'], { reply, caller }: Context) {
    const { pdf } = await this.rpc.call(invoiceContract.getExampleInvoice, settings, caller);
    await reply.header('content-type', 'application/pdf').send(Buffer.from(pdf, 'base64'));
  }

  async downloadInvoice({ id }: Input['downloadInvoice'], { reply, caller }: Context) {
    const { _id, number, file } = await this.rpc.call(invoiceContract.getInvoiceFileState, { id }, caller);
    if (file !== 'ready') throw new DomainError('UNAVAILABLE', { retryAfterSeconds });
    // Not `id`, which the caller may have written in capital letters: files are stored under the id in lower case.
    const pdf = await this.readOrRerender(_id, caller);
    await reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', `attachment; filename="${fileNameOf(number)}"`)
      .header('cache-control', 'private, no-store')
      .send(pdf);
  }

  /** Lists all documents first. A month with too many, or with one that is not rendered yet, is refused before anything is sent. */
  async downloadInvoicesOfMonth({ month }: Input['downloadInvoicesOfMonth'], { reply, caller }: Context) {
    const documents = await this.listReadyDocuments(month, caller);
    const files = documents.map(({ _id, number }) => ({
      name: fileNameOf(number),
      read: () => this.readOrRerender(_id, caller),
    }));
    await reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="invoices-${month}.zip"`)
      .header('cache-control', 'private, no-store')
      .send(zipStream(files));
  }

  exportInvoices(filter: Input['exportInvoices'], { reply, caller }: Context) {
    return this.csv.send(reply, 'invoices', invoiceColumns, (range) =>
      this.rpc.call(invoiceContract.listInvoices, { ...filter, ...range }, caller),
    );
  }

  /** Throws UNAVAILABLE for a file that the storage has lost; it is rendered again. */
  private async readOrRerender(id: string, caller: CallOptions): Promise<Buffer> {
    const pdf = await this.storage.findBytes(id, invoiceFileName);
    if (pdf) return pdf;
    await this.rpc.call(invoiceContract.renderInvoice, { id }, caller);
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds });
  }

  private async listReadyDocuments(month: string, caller: CallOptions) {
    const [year, monthNumber] = month.split('-').map(Number) as [number, number];
    const lastDay = utcDay(new Date(Date.UTC(year, monthNumber, 0)));
    const period = { from: `${month}-01`, to: lastDay, direction: 'asc' } as const;
    const documents: { _id: string; number: string }[] = [];
    for (let cursor: string | undefined; ;) {
      const range = { limit: documentsPerPage, ...(cursor !== undefined && { cursor }) };
      const page = await this.rpc.call(invoiceContract.listInvoices, { ...period, ...range }, caller);
      const unready = page.items.find(({ file }) => file !== 'ready');
      if (unready) throw notReady(unready.number);
      documents.push(...page.items);
      if (documents.length > maxDocumentsOfMonth) throw tooMany();
      if (page.nextCursor === null) return documents;
      cursor = page.nextCursor;
    }
  }
}

function tooMany(): DomainError {
  const message = `has more than ${maxDocumentsOfMonth.toLocaleString('en-US')} documents`;
  return DomainError.invalid([{ field: 'month', message }]);
}

/** Names the document, so that an admin can look for the cause if its PDF never becomes ready. */
function notReady(number: string): DomainError {
  const message = `The PDF of ${number} isn’t ready yet, and the ZIP file would be incomplete without it. Try again in a moment.`;
  return new DomainError('UNAVAILABLE', { retryAfterSeconds }, message);
}

/** The prefix of a document number may contain slashes. */
const fileNameOf = (number: string) => `${number.replaceAll('/', '-')}.pdf`;
