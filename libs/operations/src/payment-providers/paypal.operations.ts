import { z } from 'zod';
import { paypalContract as contract, paypalEmail, paypalEmailInput } from '#libs/contracts';
import { created, updated } from '../acknowledged.js';
import { updateBody } from '../inputs.js';
import { grouped, output, relay } from '../operation.js';
import { adminsOnce, adminsOnly, customersOnly } from '../policy.js';

const group = 'PayPal e-mail';
export const paypalGroups = { [group]: 'The PayPal account that receives payments.' };

const record = paypalEmail.meta({ id: 'PaypalEmail' });

export const paypalEmailOperations = grouped(group, {
  list: relay({
    at: 'GET /paypal-email',
    id: 'listPaypalEmail',
    summary: 'The account that receives payments, as a list of at most one',
    policy: customersOnly,
    to: output(contract.listPaypalEmail, z.array(record)),
  }),
  item: relay({
    at: 'GET /paypal-email/:id',
    id: 'getPaypalEmail',
    summary: 'The account that receives payments',
    policy: customersOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.paypalEmail, record),
  }),
  add: relay({
    at: 'POST /add-email',
    id: 'createPaypalEmail',
    summary: 'Set the account that receives payments, if none is set',
    policy: { ...adminsOnce, fresh: true },
    body: paypalEmailInput.meta({ id: 'PaypalEmailCreate' }),
    failures: ['SINGLETON_EXISTS'],
    to: created(contract.addPaypalEmail),
  }),
  update: relay({
    at: 'PUT /paypal-email/:id',
    id: 'updatePaypalEmail',
    summary: 'Change the account that receives payments; payments under way keep the previous one',
    policy: { ...adminsOnly, fresh: true },
    body: updateBody('PaypalEmailUpdate', paypalEmailInput.shape),
    versioned: true,
    failures: ['NOT_FOUND'],
    to: updated(contract.updatePaypalEmail),
  }),
});
