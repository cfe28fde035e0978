import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../embedded/ports.js';

/**
 * `silent`: takes the file and never answers. `closes`: hangs up in the middle of a file. `garbage`: sends an endless answer that clamd would never
 * give. `tooLarge`: refuses every file as too large. `outOfMemory`: answers that it has no memory left.
 */
export type ClamdFault = 'silent' | 'closes' | 'garbage' | 'tooLarge' | 'outOfMemory';

/** The test file that every virus scanner reports (https://www.eicar.org), in two parts, so that scanners do not report this source file. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Supports clamd's command INSTREAM (https://docs.clamav.net/manual/Usage/Scanning.html), and finds the EICAR test file anywhere in a file. */
export class ClamdStandIn {
  /** The sizes of the scanned files, in bytes. */
  readonly scannedSizes: number[] = [];
  fault: ClamdFault | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private server: Server) {}

  static async start(): Promise<ClamdStandIn> {
    const standIn = new ClamdStandIn(createServer());
    // `freePort` avoids the ephemeral ports, so that no connection takes the port between `stop` and `resume`.
    await standIn.listen(await freePort());
    return standIn;
  }

  get url(): string {
    return `tcp://127.0.0.1:${this.port}`;
  }

  /** Stops listening, and cuts all connections. */
  async stop(): Promise<void> {
    this.lastPort = this.port;
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  /** Listens at the same port. */
  async resume(): Promise<void> {
    this.server = createServer();
    await this.listen(this.lastPort);
  }

  private lastPort = 0;

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private async listen(port: number): Promise<void> {
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      void this.serve(socket).catch(() => socket.destroy());
    });
    await new Promise<void>((listening) => this.server.listen(port, '127.0.0.1', listening));
  }

  private async serve(socket: Socket): Promise<void> {
    const input = new Input(socket);
    const command = await input.textBefore(0);
    if (command !== 'zINSTREAM') return void socket.end('UNKNOWN COMMAND\0');
    if (this.fault === 'outOfMemory') return void socket.end('stream: Cannot allocate memory ERROR\0');
    let bytes = 0;
    let tail = '';
    let isFound = false;
    for (;;) {
      const length = (await input.take(4)).readUInt32BE();
      if (length === 0) break;
      const chunk = await input.take(length);
      bytes += length;
      if (this.fault === 'closes') return void socket.destroy();
      if (this.fault === 'tooLarge') return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      const text = tail + chunk.toString('latin1');
      isFound ||= text.includes(eicar);
      tail = text.slice(-eicar.length);
    }
    if (this.fault === 'silent') return;
    if (this.fault === 'garbage') return babble(socket);
    this.scannedSizes.push(bytes);
    socket.end(isFound ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
  }
}

function babble(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write('stream: '.repeat(1000)));
  };
  socket.on('drain', more);
  more();
}

class Input {
  private buffered = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(socket: Socket) {
    this.chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.buffered.length < length) await this.more();
    const taken = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    return taken;
  }

  /** Skips the byte after the text. */
  async textBefore(byte: number): Promise<string> {
    while (!this.buffered.includes(byte)) await this.more();
    const at = this.buffered.indexOf(byte);
    const text = this.buffered.toString('latin1', 0, at);
    this.buffered = this.buffered.subarray(at + 1);
    return text;
  }

  private async more(): Promise<void> {
    const { value, done } = await this.chunks.next();
    if (done) throw new Error('The connection has ended');
    this.buffered = Buffer.concat([this.buffered, value]);
  }
}
