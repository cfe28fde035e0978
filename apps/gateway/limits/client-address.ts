import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { unmappedAddress } from '#libs/platform';

/**
 * The client's address as a trusted proxy reports it, if that is a valid address; otherwise the address of the connection's other end. An
 * invalid one would get a rate-limit counter of its own and appear in the log. Removes the port, which some proxies add, and the prefix
 * `::ffff:`, which a dual-stack socket puts before an IPv4 address.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(ip) ?? [];
  const address = bracketed ?? withPort ?? ip;
  return unmappedAddress(isIP(address) === 0 ? (socket.remoteAddress ?? '') : address);
}
