import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeForm, type Pairs } from './encoding.js';
import { valueOf } from './misbehaviours.js';
import type { Postback, PostbackMode } from './model.js';
import type { PayPal } from './paypal.js';
import { Refusal } from './refusal.js';
import { wantsJson } from './requests.js';

const command = 'cmd=_notify-validate';
const maxPostbacks = 1_000;
/** After this time, a connection without an answer is cut. Clients with a timeout have left by then. */
const longestSilenceMs = 120_000;

/**
 * PayPal's single endpoint for the buyer's form, for the postback with which a listener asks whether PayPal sent an IPN, and for payment data
 * transfer (PDT). Postbacks of PayPal's sample listeners in PHP and Perl (https://github.com/paypal/ipn-code-samples) are answered VERIFIED. Those
 * of samples that encode the message in another way than PayPal (`python`, `googlecloudfunctions.js`) are answered INVALID, although PayPal accepts
 * them.
 */
export class Webscr {
  private readonly log: (Omit<Postback, 'at'> & { at: number })[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly paypal: PayPal) {}

  get postbacks(): Postback[] {
    return this.log.map((postback) => ({ ...postback, at: new Date(postback.at).toISOString() }));
  }

  register(app: FastifyInstance): void {
    app.post('/cgi-bin/webscr', (request, reply) => this.answerPost(request, reply));
    // A payment link, for example in an e-mail, sends the same form by GET.
    app.get('/cgi-bin/webscr', (request, reply) => {
      const [, ...query] = request.url.split('?');
      // Addresses in the form may contain further question marks.
      return this.openCheckout(request, reply, Buffer.from(query.join('?'), 'latin1'));
    });
    app.get('/always-verified', (_request, reply) => reply.type('text/html').send('VERIFIED'));
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private answerPost(request: FastifyRequest, reply: FastifyReply): unknown {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const pairs = decodeForm(body, 'windows-1252') ?? [];
    const cmd = (request.query as { cmd?: string }).cmd ?? valueOf(pairs, 'cmd');
    if (cmd === '_notify-validate') return this.answerPostback(request, reply, body, pairs);
    if (cmd === '_notify-synch') {
      const answer = this.paypal.pdtAnswer(valueOf(pairs, 'tx') ?? '', valueOf(pairs, 'at') ?? '');
      return reply.type('text/html').send(answer);
    }
    return this.openCheckout(request, reply, body);
  }

  private openCheckout(request: FastifyRequest, reply: FastifyReply, body: Buffer): unknown {
    const pairs = decodeForm(body);
    if (!pairs) throw new Refusal(400, 'This character encoding is not supported.', 'charset');
    const { token, purchase } = this.paypal.checkouts.open(this.paypal.readPurchase(pairs));
    const path = `/checkout/${token}`;
    if (!wantsJson(request)) return reply.redirect(path, 303);
    return { url: `http://${request.host}${path}`, cancelUrl: purchase.cancelUrl };
  }

  private answerPostback(request: FastifyRequest, reply: FastifyReply, body: Buffer, pairs: Pairs): unknown {
    const userAgent = request.headers['user-agent'] ?? '';
    // PayPal refuses clients without a User-Agent, such as its own sample `awslambda.js`.
    if (userAgent === '') return reply.code(403).type('text/html').send('<h1>Access Denied</h1>');
    const message = withoutCommand(body.toString('latin1'));
    const verdict = this.paypal.verdict(message);
    const mode = this.paypal.misbehaviours.takeForPostback(pairs);
    this.log.push({ at: this.paypal.clock.now(), body: message, userAgent, mode, verdict });
    if (this.log.length > maxPostbacks) this.log.shift();
    return this.answer(reply, mode, verdict);
  }

  private answer(reply: FastifyReply, mode: PostbackMode, verdict: string): unknown {
    reply.type('text/html; charset=UTF-8');
    switch (mode) {
      case 'normal':
        return reply.send(verdict);
      case 'error':
        return reply.code(503).send('<html><body><h1>Service Unavailable</h1></body></html>');
      case 'html':
        return reply.send('<html><body><p>Sorry. Your message could not be VERIFIED now.</p></body></html>');
      case 'redirect':
        return reply.redirect('/always-verified', 302);
      case 'wrong word':
        return reply.send('verified');
      case 'invalid':
        return reply.send('INVALID');
      case 'timeout':
        reply.hijack();
        this.later(longestSilenceMs, () => reply.raw.destroy());
        return reply;
      case 'reset':
        reply.hijack();
        reply.raw.destroy();
        return reply;
      case 'drip':
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' });
        this.drip(reply, 'VERIFIED');
        return reply;
    }
  }

  private drip(reply: FastifyReply, rest: string): void {
    if (rest === '' || reply.raw.destroyed) return void reply.raw.end();
    reply.raw.write(rest[0]);
    this.later(1_000, () => this.drip(reply, rest.slice(1)));
  }

  private later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }
}

/** PayPal's samples put the command before the message, after it, or into the query string. */
function withoutCommand(text: string): string {
  if (text.startsWith(`${command}&`)) return text.slice(command.length + 1);
  return text.endsWith(`&${command}`) ? text.slice(0, -command.length - 1) : text;
}
