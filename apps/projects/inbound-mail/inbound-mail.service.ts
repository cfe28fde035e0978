import { Injectable } from '@nestjs/common';
import { type HandlerInput, type Output, threadContract } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { InboundMailRepository } from './inbound-mail.repository.js';
import { InboundMailWorker } from './inbound-mail.worker.js';

@Injectable()
export class InboundMailService {
  constructor(
    private readonly inbox: Inbox,
    private readonly mails: InboundMailRepository,
    private readonly worker: InboundMailWorker,
    private readonly clock: Clock,
  ) {}

  /** In the contract, `mailId` is the id of the raw message in storage. In this service, the id of a mail is its SHA-256. */
  @Handles(threadContract.receiveStoredMail)
  async receive(
    { mailId: fileId, sha256 }: HandlerInput<typeof threadContract.receiveStoredMail>,
    context: RequestContext,
  ): Promise<Output<typeof threadContract.receiveStoredMail>> {
    const received = await this.inbox.once(context, async (tx) => ({
      isNew: await this.mails.insertIfNew(tx, sha256, fileId, this.clock.now()),
    }));
    this.worker.poll();
    return received;
  }
}
