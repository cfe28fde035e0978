import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { unmappedAddress } from '#libs/platform';

/**
 * The address that a trusted proxy reports, or that of the connection if the reported one is invalid. An invalid one would get a rate-limit counter
 * of its own. Removes the port, which some proxies add, and the prefix `::ffff:` of a dual-stack socket.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(ip) ?? [];
  const address = bracketed ?? withPort ?? ip;
  return unmappedAddress(isIP(address) === 0 ? (socket.remoteAddress ?? '') : address);
}
