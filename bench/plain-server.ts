import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The first message from the parent contains the headers and the body with which this server answers every request. */
process.once('message', (message) => {
  const { headers, body } = message as { headers: Record<string, string>; body: string };
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  });
});
process.once('disconnect', () => process.exit());
