import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { unmappedAddress } from '#libs/platform';

/**
 * The client's address: what a trusted proxy says if that is an address, else the other end of the connection. Anything else that a client sends
 * would get a counter of its own and a place in the log. Some proxies add the port, and a socket for both protocols maps IPv4 (`::ffff:`).
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(ip) ?? [];
  const address = bracketed ?? withPort ?? ip;
  return unmappedAddress(isIP(address) === 0 ? (socket.remoteAddress ?? '') : address);
}
