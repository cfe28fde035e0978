import type { Account } from '#libs/contracts';

/**
 * SQL: whether the account `a` is an admin at this moment. Without the verification anyone could register an
 * admin's address before its owner does.
 */
export const isAdminSql = `(a.email_verified AND EXISTS (
  SELECT 1 FROM admin_users u WHERE u.email_normalized = a.email_normalized))`;

/** SQL: the columns of the account `a` that `accountView` reads. */
export const accountColumns = `a.id, a.email, a.email_verified, a.name, ${isAdminSql} AS is_admin`;

export interface AccountRow {
  id: string;
  email: string;
  email_verified: boolean;
  name: string | null;
  is_admin: boolean;
}

/** The account as its owner sees it. */
export function accountView(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    role: row.is_admin ? 'Admin' : 'Customer',
    name: row.name,
  };
}
