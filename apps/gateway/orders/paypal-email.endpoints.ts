import { z } from 'zod';
import { paypalEmail, paypalEmailInput } from '#libs/contracts';
import { adminsOnce, adminsOnly, customersOnly } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedUpdate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'PayPal e-mail';
const record = paypalEmail.meta({ id: 'PaypalEmail' });
const ignored = z.unknown().optional();

/** The four fields that the server added are accepted and dropped. */
const updateBody = paypalEmailInput
  .extend({ _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored })
  .transform((body) => ({ paypalEmail: body.paypalEmail }))
  .meta({ id: 'PaypalEmailUpdate' });

export const listPaypalEmailEndpoint: Endpoint = {
  method: 'GET',
  path: '/paypal-email',
  policy: customersOnly,
  operationId: 'listPaypalEmail',
  summary: 'The address that receives payments: none or one',
  group,
  status: 200,
  answer: z.array(record),
  failures: [],
};

export const getPaypalEmailEndpoint: Endpoint = {
  method: 'GET',
  path: '/paypal-email/:id',
  policy: customersOnly,
  operationId: 'getPaypalEmail',
  summary: 'The address that receives payments',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const addPaypalEmailEndpoint: Endpoint = {
  method: 'POST',
  path: '/add-email',
  policy: { ...adminsOnce, fresh: true },
  operationId: 'createPaypalEmail',
  summary: 'Set the address that receives payments, while there is none',
  group,
  body: paypalEmailInput.meta({ id: 'PaypalEmailCreate' }),
  status: 201,
  answer: acknowledgedCreate(paypalEmail),
  failures: ['INVALID_INPUT', 'SINGLETON_EXISTS', 'IDEMPOTENCY_KEY_REUSED'],
};

export const updatePaypalEmailEndpoint: Endpoint = {
  method: 'PUT',
  path: '/paypal-email/:id',
  policy: { ...adminsOnly, fresh: true },
  operationId: 'updatePaypalEmail',
  summary: 'Change the address that receives payments; payments under way keep theirs',
  group,
  body: updateBody,
  status: 200,
  answer: acknowledgedUpdate(paypalEmail),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const paypalEmailEndpoints: readonly Endpoint[] = [
  listPaypalEmailEndpoint,
  getPaypalEmailEndpoint,
  addPaypalEmailEndpoint,
  updatePaypalEmailEndpoint,
];
