import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../../dev/embedded/ports.js';

/** A TCP proxy that simulates outages without stopping the server, which others may use. */
export interface TcpGate {
  readonly url: string;
  /** Cuts all connections and refuses new ones. */
  shut(): Promise<void>;
  /** Accepts connections again, at the same address. */
  open(): Promise<void>;
  /** Stops forwarding without closing connections, like a hung server. `open` forwards again. */
  freeze(): void;
  close(): Promise<void>;
}

export async function startTcpGate(url: string): Promise<TcpGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      if (frozen) socket.pause();
      socket.on('data', (data) => other.write(data));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // Port 0 would give an ephemeral port, which an outgoing connection could take while the gate is shut.
  const port = await freePort();
  await listen(port);
  const gateUrl = new URL(url);
  gateUrl.hostname = '127.0.0.1';
  gateUrl.port = String(port);
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: gateUrl.href,
    shut,
    open: async () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    close: shut,
  };
}
