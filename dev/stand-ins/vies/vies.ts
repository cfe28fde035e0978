import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * `unavailable`, `busy`: an error, because the register of the member state is down or has too many requests. `misleading`: calls the VAT ID invalid,
 * with `userError` saying that the register is down, as in the older form of the API. `html`: 503 with an HTML page. `silent`: no answer.
 */
type Fault = 'unavailable' | 'busy' | 'misleading' | 'html' | 'silent';

const errorCodes: Partial<Record<Fault, string>> = {
  unavailable: 'MS_UNAVAILABLE',
  busy: 'MS_MAX_CONCURRENT_REQ',
};

/**
 * VIES is the European Commission's service that looks up VAT IDs in the registers of the member states. The stand-in answers in the form that the
 * Commission documents (https://ec.europa.eu/taxation_customs/vies/#/technical-information).
 */
export class ViesStandIn {
  readonly validVatIds = new Set<string>();
  /** The VAT IDs of all requests. */
  readonly askedVatIds: string[] = [];
  /** The highest number of simultaneous requests. */
  mostAtOnce = 0;
  private openRequests = 0;
  fault: Fault | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ViesStandIn> {
    const server = createServer();
    const standIn = new ViesStandIn(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void standIn.answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/rest-api`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = (await json(request).catch(() => null)) as {
      countryCode: string;
      vatNumber: string;
    } | null;
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST' || request.url !== '/rest-api/check-vat-number') return void send(404, {});
    if (!query) return void send(400, {});
    const vatId = query.countryCode + query.vatNumber;
    this.askedVatIds.push(vatId);
    this.openRequests += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.openRequests);
    response.once('close', () => (this.openRequests -= 1));
    if (this.fault === 'silent') return;
    if (this.fault === 'html')
      return void response
        .writeHead(503, { 'content-type': 'text/html' })
        .end('<h1>Service unavailable</h1>');
    const errorCode = this.fault && errorCodes[this.fault];
    if (errorCode) return void send(200, { actionSucceed: false, errorWrappers: [{ error: errorCode }] });
    const requestDate = new Date().toISOString();
    if (this.fault === 'misleading')
      return void send(200, { ...query, requestDate, valid: false, userError: 'MS_UNAVAILABLE' });
    const valid = this.validVatIds.has(vatId);
    send(200, { ...query, requestDate, valid, requestIdentifier: '', name: '---', address: '---' });
  }
}
