import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { unmappedAddress } from '#libs/platform';

/**
 * The client's address as a trusted proxy reports it, if that is a valid address; otherwise the address of the connection's other end. An
 * invalid one would get its own counter and appear in the log. Some proxies add the port, and a dual-stack socket maps IPv4 (`::ffff:`).
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(ip) ?? [];
  const address = bracketed ?? withPort ?? ip;
  return unmappedAddress(isIP(address) === 0 ? (socket.remoteAddress ?? '') : address);
}
