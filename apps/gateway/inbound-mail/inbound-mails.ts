import { createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { DomainError, maxInboundMailBytes, parseMailSignature, threadContract } from '#libs/contracts';
import { type FileStorage, INBOUND_MAIL_STORAGE, inboundMailFileName } from '#libs/file-storage';
import { clientNetwork, LOGGER } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { type CallOptions, RpcClient } from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { spool, type SpooledBody } from '../images/spool.js';
import { ConcurrencyLimit } from '../limits/concurrency-limit.js';
import { HttpFailure } from '../problem/problem.js';

/** Limits how many mails are stored at the same time, because each is then in memory. */
const maxStoring = 8;
/** Milliseconds that a mail may take to arrive. */
const arrivalMs = 30_000;
const retryAfterSeconds = 10;
/**
 * Limits how many mails arrive at the same time, each in a temporary file and not verified yet. The limit per client network keeps one client from
 * crowding out the others.
 */
const arrivalLimits = { perKey: 8, inTotal: 64, retryAfterSeconds };

export interface IncomingMail {
  body: Readable | undefined;
  /** From `Content-Length`; 0 if it is missing. */
  announcedBytes: number;
  /** The header `Mail-Signature`. */
  signature: string;
  /** The client's. */
  ip: string;
}

@Injectable()
export class InboundMails {
  private storing = 0;
  /** By client network. */
  private readonly arrivals = new ConcurrencyLimit(arrivalLimits);

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(INBOUND_MAIL_STORAGE) private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the mail is stored and the projects service has registered it. Until the signature is verified, the mail is only in a temporary
   * file. Throws FORBIDDEN, BODY_TOO_LARGE, OVERLOADED, UNAVAILABLE.
   */
  async receive({ body, announcedBytes, signature, ip }: IncomingMail, caller: CallOptions): Promise<void> {
    const secret = this.config.INBOUND_MAIL_SECRET;
    const parsedSignature = parseMailSignature(signature, this.clock.now().getTime());
    if (secret === undefined || !parsedSignature) throw new DomainError('FORBIDDEN');
    if (announcedBytes > maxInboundMailBytes) throw new HttpFailure('BODY_TOO_LARGE');
    const mac = createHmac('sha256', secret).update(`${parsedSignature.timestamp}.`);
    const release = this.arrivals.reserve(clientNetwork(ip));
    const spooled = await this.spoolInTime(body ?? Readable.from([]), (chunk) => mac.update(chunk)).finally(
      release,
    );
    try {
      if (!timingSafeEqual(mac.digest(), Buffer.from(parsedSignature.mac, 'hex')))
        throw new DomainError('FORBIDDEN');
      if (this.storing >= maxStoring) throw new DomainError('OVERLOADED', { retryAfterSeconds });
      this.storing += 1;
      await this.storeAndRegister(spooled, caller).finally(() => (this.storing -= 1));
    } finally {
      await spooled.file.close();
    }
  }

  private async spoolInTime(body: Readable, observe: (chunk: Buffer) => void): Promise<SpooledBody> {
    const deadline = setTimeout(() => body.destroy(), arrivalMs);
    try {
      return await spool(body, { folder: this.storage.spoolFolder, maxBytes: maxInboundMailBytes, observe });
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      // If the body was cut off before its end, the client disconnected or was too slow, which is not an error of ours.
      if (!body.readableAborted) this.logger.error({ err: error }, 'Could not receive a mail');
      throw cannotStore();
    } finally {
      clearTimeout(deadline);
    }
  }

  /**
   * The projects service recognizes a repeated mail by its digest; the new copy is then removed. If the mail cannot be registered, that service
   * later removes the file, and the client should send the mail again.
   */
  private async storeAndRegister({ file, bytes, digest }: SpooledBody, caller: CallOptions): Promise<void> {
    const mailId = uuidv7();
    const raw = Buffer.alloc(bytes);
    await file.read(raw, 0, bytes, 0);
    try {
      await this.storage.put(mailId, [{ name: inboundMailFileName, body: raw }]);
    } catch (error) {
      this.logger.error({ err: error }, 'Could not store a mail');
      throw cannotStore();
    }
    const { isNew } = await this.rpc.call(
      threadContract.receiveStoredMail,
      { mailId, sha256: digest },
      caller,
    );
    if (isNew) return;
    await this.storage.remove(mailId).catch((error: unknown) => {
      this.logger.warn(
        { err: error, mailId },
        'Could not remove the copy of a mail that was received before',
      );
    });
  }
}

const cannotStore = () => new DomainError('UNAVAILABLE', { retryAfterSeconds });
