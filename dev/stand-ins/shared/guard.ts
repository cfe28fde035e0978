import type { FastifyInstance, FastifyRequest } from 'fastify';

class Forbidden extends Error {
  readonly statusCode = 403;
}

/** Against DNS rebinding: allows only 127.0.0.1, localhost and the names below localhost, which nobody can register (RFC 6761). */
export function refuseForeignHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ hostname }) => {
    if (hostname !== '127.0.0.1' && !/(^|\.)localhost$/.test(hostname))
      throw new Forbidden('Use the host 127.0.0.1.');
  });
}

/** Protects against CSRF. */
export function refuseForeignForm(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Forbidden('This form was submitted from another site.');
}
