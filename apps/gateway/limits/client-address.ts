import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Whose request it is: what a trusted proxy says, as long as that is an address at all, else the other end of the connection. What a client made
 * up would get a count of its own, and a place in the log. Some proxies add the port.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(ip) ?? [];
  const address = bracketed ?? withPort ?? ip;
  return isIP(address) === 0 ? (socket.remoteAddress ?? '') : address;
}
