import type { Account } from '#libs/contracts';

// SQL about the account `a`. This SQL reads tables of other folders, because the gateway looks up sessions with account and role all the time, and
// each look-up must be a single statement.
// Parts of SQL are functions, because TypeORM's `sql` tag inserts what a function returns as SQL, and any other value as a parameter.

/** Without the check for a verified address, anyone could become an admin by registering an admin's address before its owner does. */
export const isAdminSql = () => `(a.email_verified AND EXISTS (
  SELECT 1 FROM admin_users u WHERE u.email_normalized = a.email_normalized))`;

export const mustHaveSecondFactorSql = () =>
  `(${isAdminSql()} AND (SELECT second_factor FROM admin_requirements))`;

const lacksRequiredSecondFactorSql = () => `(${mustHaveSecondFactorSql()}
  AND NOT EXISTS (SELECT 1 FROM totp_factors t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = a.id))`;

export const accountColumns = () => `a.id, a.email, a.email_verified, a.name, ${isAdminSql()} AS is_admin,
  ${lacksRequiredSecondFactorSql()} AS needs_second_factor`;

export interface AccountRow {
  id: string;
  email: string;
  email_verified: boolean;
  name: string | null;
  is_admin: boolean;
  needs_second_factor: boolean;
}

export function accountView(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    role: row.is_admin ? 'Admin' : 'Customer',
    name: row.name,
    ...(row.needs_second_factor && { needsSecondFactor: true }),
  };
}
