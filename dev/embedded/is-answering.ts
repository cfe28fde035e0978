import { connect } from 'node:net';

/** Answered without authentication. */
const requests = {
  redis: Buffer.from('PING\r\n'),
  // SSLRequest: https://www.postgresql.org/docs/current/protocol-message-formats.html
  postgres: Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]),
};

/** Whether the server sends any answer within `withinMs`. */
export function isAnswering(kind: keyof typeof requests, port: number, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const conclude = (result: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => conclude(false), withinMs);
    socket.once('data', () => conclude(true));
    socket.once('error', () => conclude(false));
    socket.once('close', () => conclude(false));
    socket.write(requests[kind]);
  });
}
