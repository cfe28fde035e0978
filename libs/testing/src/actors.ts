import type { Actor } from '#libs/contracts';

const anAdmin = {
  role: 'admin',
  accountId: '019a0000-0000-7000-8000-000000000001',
  email: 'admin@example.com',
  emailVerified: true,
  sessionId: '019a0000-0000-7000-8000-000000000002',
  // The sign-in always counts as fresh.
  freshUntil: '2999-01-01T00:00:00.000Z',
} as const;

/** For a service's own tests, where no gateway authenticates anybody. */
export const actors = {
  visitor: { role: 'visitor' },
  admin: anAdmin,
  customer: {
    ...anAdmin,
    role: 'customer',
    accountId: '019a0000-0000-7000-8000-000000000003',
    email: 'customer@example.com',
  },
} as const satisfies Record<string, Actor>;
