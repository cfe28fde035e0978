import { Identity1763600100000 } from './1763600100000-identity.js';
import { AccountLinks1765000100000 } from './1765000100000-account-links.js';
import { OneComingKey1765000130000 } from './1765000130000-one-coming-key.js';
import { Google1765000200000 } from './1765000200000-google.js';
import { SecondFactors1765000210000 } from './1765000210000-second-factors.js';
import { RestoredAdmins1767000100000 } from './1767000100000-restored-admins.js';
import { MutedNotifications1769100000000 } from './1769100000000-muted-notifications.js';
import { AdminInvitations1769100100000 } from './1769100100000-admin-invitations.js';
import { SessionsOfAccount1769100200000 } from './1769100200000-sessions-of-account.js';
import { RecoveryCodeCost1769100300000 } from './1769100300000-recovery-code-cost.js';
import { ReturnedDevices1769100400000 } from './1769100400000-returned-devices.js';

/** Migrations run in the order of the timestamps in their names, whatever the order of this list. */
export const identityMigrations = [
  Identity1763600100000,
  AccountLinks1765000100000,
  OneComingKey1765000130000,
  Google1765000200000,
  SecondFactors1765000210000,
  RestoredAdmins1767000100000,
  MutedNotifications1769100000000,
  AdminInvitations1769100100000,
  SessionsOfAccount1769100200000,
  RecoveryCodeCost1769100300000,
  ReturnedDevices1769100400000,
];
