import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { setTimeout as pause } from 'node:timers/promises';
import { includesText, type Mailbox } from './mailbox.js';
import type { MailMisbehaviour } from './model.js';

type SmtpError = Error & { responseCode: number };

export class CatchingServer {
  private readonly server: SMTPServer;
  private rules: MailMisbehaviour[] = [];
  private delays = new AbortController();

  constructor(private readonly mailbox: Mailbox) {
    this.server = new SMTPServer({
      name: 'mail-catcher.invalid',
      banner: 'Mail catcher: nothing leaves this machine',
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: 25 * 1024 * 1024,
      closeTimeout: 500,
      onMailFrom: (_address, _session, done) => done(this.takeRefusal('mail', '')),
      onRcptTo: ({ address }, _session, done) => done(this.takeRefusal('rcpt', address)),
      onData: (stream, session, done) => {
        this.receive(stream, session).then(
          (answer) => done(null, answer),
          (error: Error) => done(error),
        );
      },
    });
    // A client that hangs up causes an error event, which would end the process if nothing listened for it.
    this.server.on('error', () => undefined);
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.server.once('error', reject);
      this.server.listen(port, host, () => resolve());
    });
    return (this.server.server.address() as { port: number }).port;
  }

  misbehave(rule: MailMisbehaviour): void {
    this.rules.unshift({ ...rule });
  }

  /** Removes all rules, and sends delayed answers now. */
  behave(): void {
    this.rules = [];
    this.delays.abort();
    this.delays = new AbortController();
  }

  async close(): Promise<void> {
    this.behave();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const message = Buffer.concat(chunks);
    const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const delayRule = this.findRule(recipients, ({ delayMs }) => delayMs !== undefined);
    const refuseRule = this.findRule(recipients, ({ refuse }) => refuse?.at === 'data');
    const dropRule = refuseRule ? undefined : this.findRule(recipients, ({ drop }) => drop !== undefined);
    // A rule with several of these properties is counted once for a mail.
    for (const rule of new Set([delayRule, refuseRule, dropRule])) if (rule) this.countUse(rule);
    if (delayRule)
      await pause(delayRule.delayMs, undefined, { signal: this.delays.signal }).catch(() => undefined);
    if (refuseRule) throw refusalBy(refuseRule);
    const drop = dropRule?.drop;
    if (drop !== 'lost') for (const to of recipients) await this.mailbox.add(from, to, message);
    if (drop) this.cut(session);
    return 'Caught';
  }

  private cut(session: SMTPServerSession): void {
    for (const connection of this.server.connections) {
      if (connection.id === session.id) connection._socket.destroy();
    }
  }

  private takeRefusal(at: 'mail' | 'rcpt', to: string): SmtpError | null {
    const rule = this.findRule([to], ({ refuse }) => refuse?.at === at);
    if (!rule) return null;
    this.countUse(rule);
    return refusalBy(rule);
  }

  /** The newest rule with the property, for any of the recipients. */
  private findRule(
    recipients: string[],
    hasProperty: (rule: MailMisbehaviour) => boolean,
  ): MailMisbehaviour | undefined {
    return this.rules.find(
      (rule) => hasProperty(rule) && recipients.some((recipient) => includesText(recipient, rule.to ?? '')),
    );
  }

  private countUse(rule: MailMisbehaviour): void {
    if (rule.times === undefined) return;
    rule.times -= 1;
    if (rule.times <= 0) this.rules = this.rules.filter((other) => other !== rule);
  }
}

const refusalBy = ({ refuse }: MailMisbehaviour): SmtpError =>
  Object.assign(new Error(refuse!.text), { responseCode: refuse!.code });
