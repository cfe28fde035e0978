import type { FastifyInstance, FastifyRequest } from 'fastify';

class Forbidden extends Error {
  readonly statusCode = 403;
}

/** A foreign site whose name was made to point here must neither read nor steer. Nobody owns a name below localhost (RFC 6761). */
export function refuseForeignNames(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ hostname }) => {
    if (hostname !== '127.0.0.1' && !/(^|\.)localhost$/.test(hostname))
      throw new Forbidden('Ask for 127.0.0.1.');
  });
}

/** A stand-in's own forms are submitted from its own pages; other sites cannot press their buttons. */
export function refuseForeignForm(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Forbidden('This form belongs to another page.');
}
