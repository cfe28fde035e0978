import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

interface OrderBody {
  packageName: string;
  packagePrice: string;
  customerEmail: string;
  customerName: string;
  customerAddress: string;
  customerCountry: string;
}

process.once('message', (message) => {
  void serve((message as { databaseUrl: string }).databaseUrl);
});
process.once('disconnect', () => process.exit());

/** The server with which `orders.ts` compares placing an order. Inserts one row for each request, without checks, session, idempotency or events. */
async function serve(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await pool.query(`
    CREATE TABLE IF NOT EXISTS plain_orders (id uuid PRIMARY KEY, package_name text, package_price text,
      customer_email text, customer_name text, customer_address text, customer_country text, created_at timestamptz)`);
  const app = Fastify();
  app.post('/', async (request, reply) => {
    const body = request.body as OrderBody;
    const { packageName, packagePrice, customerEmail, customerName, customerAddress, customerCountry } = body;
    const { rows } = await pool.query(
      `INSERT INTO plain_orders VALUES ($1, $2, $3, $4, $5, $6, $7, now()) RETURNING *`,
      [uuidv7(), packageName, packagePrice, customerEmail, customerName, customerAddress, customerCountry],
    );
    return reply.code(201).send(rows[0]);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}/` });
}
