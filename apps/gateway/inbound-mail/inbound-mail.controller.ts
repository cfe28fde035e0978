import type { Readable } from 'node:stream';
import { inboundMailOperations } from '#libs/contracts';
import { clientAddress } from '../limits/client-address.js';
import { type Context, Serves } from '../routing/serves.js';
import { InboundMails } from './inbound-mails.js';

@Serves(inboundMailOperations)
export class InboundMailController {
  constructor(private readonly mails: InboundMails) {}

  async receiveMail(_: object, { request, caller }: Context) {
    const body = request.body as Readable | undefined;
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    const signature = String(request.headers['mail-signature'] ?? '');
    const ip = clientAddress(request);
    await this.mails.receive({ body, announcedBytes, signature, ip }, caller);
    return { received: true as const };
  }
}
