import { auditMigrations, outboxAndInboxMigrations } from '#libs/database';
import { Orders1764000000000 } from './1764000000000-orders.js';
import { Payments1764000100000 } from './1764000100000-payments.js';
import { OrderDayTotals1764200000000 } from './1764200000000-order-day-totals.js';
import { DeletedAccounts1765000120000 } from './1765000120000-deleted-accounts.js';
import { TimelineAccounts1767100100000 } from './1767100100000-timeline-accounts.js';
import { TimelinePersons1767300000000 } from './1767300000000-timeline-persons.js';
import { PaymentMeanings1768001000000 } from './1768001000000-payment-meanings.js';
import { NotificationIntake1768002000000 } from './1768002000000-notification-intake.js';
import { StaffNotes1770000100000 } from './1770000100000-staff-notes.js';
import { Sellers1770000200000 } from './1770000200000-sellers.js';
import { Customers1770000300000 } from './1770000300000-customers.js';
import { OrderNumbers1770000400000 } from './1770000400000-order-numbers.js';
import { ProviderCheckouts1771000000000 } from './1771000000000-provider-checkouts.js';
import { Subscriptions1772000000000 } from './1772000000000-subscriptions.js';
import { InvoiceSettings1772900000000 } from './1772900000000-invoice-settings.js';
import { Invoices1773000000000 } from './1773000000000-invoices.js';
import { BillingDetails1773000100000 } from './1773000100000-billing-details.js';
import { InvoiceFiles1773000200000 } from './1773000200000-invoice-files.js';
import { ProjectVersions1774000000000 } from './1774000000000-project-versions.js';
import { BillingMembers1774000600000 } from './1774000600000-billing-members.js';

/** Migrations run in the order of the timestamps in their names, whatever the order of this list. */
export const migrations = [
  ...outboxAndInboxMigrations,
  ...auditMigrations,
  Orders1764000000000,
  Payments1764000100000,
  OrderDayTotals1764200000000,
  DeletedAccounts1765000120000,
  TimelineAccounts1767100100000,
  TimelinePersons1767300000000,
  PaymentMeanings1768001000000,
  NotificationIntake1768002000000,
  StaffNotes1770000100000,
  Sellers1770000200000,
  Customers1770000300000,
  OrderNumbers1770000400000,
  ProviderCheckouts1771000000000,
  Subscriptions1772000000000,
  InvoiceSettings1772900000000,
  Invoices1773000000000,
  BillingDetails1773000100000,
  InvoiceFiles1773000200000,
  ProjectVersions1774000000000,
  BillingMembers1774000600000,
];
