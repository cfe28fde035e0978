import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { setTimeout as pause } from 'node:timers/promises';
import type { Mailbox } from './mailbox.js';
import type { MailMisbehaviour } from './model.js';

type Refusing = Error & { responseCode: number };

/** A real mail server that accepts every mail and relays none. It misbehaves on request. */
export class CatchingServer {
  private readonly server: SMTPServer;
  private rules: MailMisbehaviour[] = [];

  constructor(private readonly mailbox: Mailbox) {
    this.server = new SMTPServer({
      name: 'mail-catcher.invalid',
      banner: 'Mail catcher: nothing leaves this machine',
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: 26_214_400,
      closeTimeout: 500,
      onMailFrom: (_address, _session, done) => done(this.refusal('mail', '')),
      onRcptTo: ({ address }, _session, done) => done(this.refusal('rcpt', address)),
      onData: (stream, session, done) => {
        this.receive(stream, session).then(
          (answer) => done(null, answer),
          (error: Error) => done(error),
        );
      },
    });
    // Ignores clients that hang up.
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

  behave(): void {
    this.rules = [];
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const message = Buffer.concat(chunks);
    const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const first = recipients[0] ?? '';
    const slow = this.useRule(first, ({ delayMs }) => delayMs !== undefined);
    if (slow) await pause(slow.delayMs);
    const refusal = this.refusal('data', first);
    if (refusal) throw refusal;
    const drop = this.useRule(first, (rule) => rule.drop !== undefined)?.drop;
    if (drop !== 'lost') for (const to of recipients) await this.mailbox.add(from, to, message);
    if (drop) this.cut(session);
    return 'Caught';
  }

  /** Closes the connection without an answer. */
  private cut(session: SMTPServerSession): void {
    for (const connection of this.server.connections) {
      if (connection.id === session.id) connection._socket.destroy();
    }
  }

  private refusal(at: 'mail' | 'rcpt' | 'data', to: string): Refusing | null {
    const refuse = this.useRule(to, (rule) => rule.refuse?.at === at)?.refuse;
    return refuse ? Object.assign(new Error(refuse.text), { responseCode: refuse.code }) : null;
  }

  /** Returns the newest matching rule of this kind, and counts this use of it. */
  private useRule(to: string, kind: (rule: MailMisbehaviour) => boolean): MailMisbehaviour | undefined {
    const found = this.rules.find((rule) => kind(rule) && to.includes(rule.to ?? ''));
    if (found?.times !== undefined) {
      found.times -= 1;
      if (found.times <= 0) this.rules = this.rules.filter((rule) => rule !== found);
    }
    return found;
  }
}
